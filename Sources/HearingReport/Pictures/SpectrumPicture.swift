public import HearingFitting

/// The band levels of a sound before and after processing, with a panel for each ear.
///
///     let picture = SpectrumPicture(
///       frequencies: [500, 1000, 2000], before: [.left: [58, 52, 47]], after: [.left: [65, 66, 64]])
///     try picture.svg.data.write(to: url)
///
/// Levels are in dB SPL over the centres of the bands, usually third-octaves, on a logarithmic axis.
/// The input is dashed with dots, the output solid with rings in the ear's colour. Silence and levels
/// more than 80 dB below the highest one are not drawn. An ear without levels has an empty panel that
/// says so.
///
/// Not for the prescribed gain (see ``InsertionGainPicture``).
public struct SpectrumPicture: Sendable, Equatable {
  /// The centres of the bands in Hz, rising, above 0; at least one.
  public let frequencies: [Double]
  /// The levels before processing in dB SPL, one for each frequency; −∞ for silence.
  public let before: [Ear: [Double]]
  /// The levels after processing in dB SPL, one for each frequency; −∞ for silence.
  public let after: [Ear: [Double]]
  /// The heading of the picture; truncated to one line.
  public var title: String

  /// A picture of levels in dB SPL, for each ear one for each frequency in Hz.
  public init(
    frequencies: [Double], before: [Ear: [Double]], after: [Ear: [Double]],
    title: String = "Spectrum before and after"
  ) {
    precondition(
      frequencies.first.map { $0 > 0 } ?? false && frequencies.allSatisfy(\.isFinite)
        && zip(frequencies, frequencies.dropFirst()).allSatisfy { $0 < $1 },
      "bands at \(frequencies) Hz")
    for levels in Array(before.values) + Array(after.values) {
      precondition(
        levels.count == frequencies.count,
        "\(levels.count) levels for \(frequencies.count) frequencies")
    }
    self.frequencies = frequencies
    self.before = before
    self.after = after
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture {
    SVGPicture(title: title, summary: summary) { canvas in
      SpectrumDrawing(
        frequencies: frequencies, before: before, after: after, layout: canvas.layout
      ).draw(on: &canvas)
    }
  }

  private var summary: String {
    let ears = Ear.clinicalOrder.map { ear in
      guard let before = before[ear], let after = after[ear] else {
        return "\(ear.title): nothing measured."
      }
      let bands = frequencies.indices.map { band in
        "\(frequencies[band].readable(places: 2)) Hz "
          + "\(Self.words(before[band])) to \(Self.words(after[band]))"
      }
      return "\(ear.title), from before to after in dB SPL: \(bands.joined(separator: ", "))."
    }
    return ears.joined(separator: " ")
  }

  /// A level in words.
  static func words(_ level: Double) -> String {
    level.isFinite ? level.readable() : "silent"
  }
}
