public import HearingFitting

/// A picture of levels in dB SPL as a function of frequency, before and after processing, with a
/// panel for each ear.
///
///     let picture = SpectrumPicture(
///       frequencies: [500, 1000, 2000], before: [.left: [58, 52, 47]],
///       after: [.left: [65, 66, 64]])
///     try picture.svg.data.write(to: url)
///
/// The frequencies are usually the centres of third-octave bands, on a logarithmic axis. Curves
/// differ in their dashes and symbols, and not only in colour. Silence is not drawn. Levels that
/// are more than 80 dB below the maximum are not drawn either. If an ear has no levels, its panel
/// is empty and says that nothing was measured.
///
/// To show the prescribed gain, use ``InsertionGainPicture``.
public struct SpectrumPicture: Sendable, Equatable {
  /// A curve with levels for each ear.
  struct Curve: Sendable, Equatable {
    /// The line and the symbols of a curve.
    struct Style: Sendable, Equatable {
      let dash: String
      let marker: MarkupElement?
      /// Whether the curve has the colour of its ear.
      let isColored: Bool

      /// A dashed line with dots, for a curve to which other curves are compared.
      static let reference = Style(dash: " hp-dash-soft", marker: .dot, isColored: false)
      /// A solid line with rings in the colour of the ear, for a result.
      static let result = Style(dash: "", marker: .ring, isColored: true)
      /// A solid line with triangles, for thresholds.
      static let threshold = Style(dash: "", marker: .triangle, isColored: false)
      /// A dotted line with squares in the colour of the ear, for the maximum output.
      static let maximum = Style(dash: " hp-dash-loud", marker: .box, isColored: true)
      /// A dotted line without symbols, for a limit.
      static let limit = Style(dash: " hp-dash-loud", marker: nil, isColored: false)
    }

    /// The name in the legend.
    let name: String
    /// The style in which the curve is drawn.
    let style: Style
    /// The levels in dB SPL, one for each frequency. The level of silence is −∞.
    let levels: [Ear: [Double]]
  }

  /// The frequencies in Hz, ascending and above 0. There is at least one frequency.
  public let frequencies: [Double]
  /// The curves.
  let curves: [Curve]
  /// Levels are drawn down to this distance in dB below the maximum level.
  let depth: Double
  /// The title of the picture. If the title is longer than one line, it is cut off.
  public var title: String

  /// Creates a picture of curves. Each curve has a level in dB SPL for each frequency in Hz.
  init(frequencies: [Double], curves: [Curve], depth: Double = 80, title: String) {
    precondition(
      frequencies.first.map { $0 > 0 } ?? false && frequencies.allSatisfy(\.isFinite)
        && zip(frequencies, frequencies.dropFirst()).allSatisfy { $0 < $1 },
      "bands at \(frequencies) Hz")
    for levels in curves.flatMap(\.levels.values) {
      precondition(
        levels.count == frequencies.count,
        "\(levels.count) levels for \(frequencies.count) frequencies")
    }
    self.frequencies = frequencies
    self.curves = curves
    self.depth = depth
    self.title = title
  }

  /// Creates a picture of the levels before and after processing.
  ///
  /// - Parameters:
  ///   - frequencies: The frequencies in Hz, ascending and above 0. There must be at least one.
  ///   - before: For each ear, the levels before processing in dB SPL, one for each frequency. The
  ///     level of silence is −∞.
  ///   - after: The levels after processing, in the same form as `before`.
  ///   - names: The names of the two curves in the legend.
  ///   - title: The title of the picture.
  public init(
    frequencies: [Double], before: [Ear: [Double]], after: [Ear: [Double]],
    names: (before: String, after: String) = ("Before", "After"),
    title: String = "Spectrum before and after"
  ) {
    self.init(
      frequencies: frequencies,
      curves: [
        Curve(name: names.before, style: .reference, levels: before),
        Curve(name: names.after, style: .result, levels: after),
      ], title: title)
  }

  /// The picture.
  public var svg: SVGPicture { SVGPicture(title: title, summary: summary, draw: draw) }

  private var summary: String {
    Ear.sentences { ear in
      let shown = curves.compactMap { curve in curve.levels[ear].map { (curve.name, $0) } }
      guard !shown.isEmpty else { return "\(ear.title): nothing measured." }
      let bands = frequencies.indices.map { band in
        "\(frequencies[band].readable()) Hz "
          + shown.map { Self.words($0.1[band]) }.joined(separator: ", ")
      }
      let names = shown.map { $0.0.lowercased() }.joined(separator: ", ")
      return "\(ear.title), \(names) in dB SPL: \(bands.joined(separator: "; "))."
    }
  }

  /// A level as text.
  private static func words(_ level: Double) -> String {
    level.isFinite ? level.readable() : "silent"
  }
}
