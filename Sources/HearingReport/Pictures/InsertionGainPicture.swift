public import HearingFitting

/// A picture of the insertion gain of a preset as a function of frequency, for three input levels.
/// There is a panel for each ear.
///
///     let picture = InsertionGainPicture(preset)
///     try picture.svg.data.write(to: url)
///
/// The input levels 50, 65 and 80 dB SPL are levels in the band around each frequency. The picture
/// shows the gain of the preset, including the limits and the expansion of the preset. The maximum
/// output limits the gain. A negative gain is drawn at 0 dB. The curves of the three input levels
/// differ in dashes and symbols, but have the same colour. If the gain of an ear does not depend on
/// the level, the ear has only one curve. The panel of an ear without a preset contains only a note
/// that the ear was not measured.
///
/// The picture shows neither measured gains nor the gains of a rule before limits are applied
/// (`PrescriptionRule.insertionGain(for:at:inputLevel:)`).
public struct InsertionGainPicture: Sendable, Equatable {
  /// The preset. The picture shows the gains without the fine tuning of the preset. To show the
  /// gains with the fine tuning, pass `preset.fineTuned`.
  public var preset: Preset
  /// The title of the picture. A title that is longer than one line is cut off.
  public var title: String

  /// Creates a picture of a preset.
  public init(_ preset: Preset, title: String = "Insertion gain") {
    self.preset = preset
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture { SVGPicture(title: title, summary: summary, draw: draw) }

  private var summary: String {
    Ear.sentences { ear in
      guard let gains = preset[ear] else { return "\(ear.title): not measured, no gain." }
      let curves = gains.plottedLevels.map { level in
        let values = [500.0, 1000, 2000, 4000].map { frequency in
          "\(frequency.readable()) Hz "
            + gains.toneGain(at: frequency, inputLevel: level).readable()
        }
        let input = gains.isLevelDependent ? "at \(level.readable()) dB SPL" : "at every level"
        return "\(input) \(values.joined(separator: ", "))"
      }
      return "\(ear.title), gain in dB: \(curves.joined(separator: "; "))."
    }
  }

  /// The style of the curve for one input level.
  private typealias LevelStyle = (level: Double, dash: String, marker: MarkupElement)

  /// The styles for soft, average and loud sounds.
  private static let styles: [LevelStyle] = [
    (50, " hp-dash-soft", .dot), (65, "", .ring), (80, " hp-dash-loud", .box),
  ]

  /// The style of the curve for average sounds. If the gain of an ear does not depend on the level,
  /// the ear has only this curve.
  private static let averageStyle: LevelStyle = (-.infinity, "", .ring)

  /// The approximate maximum number of points of a curve. If a preset has more frequencies than
  /// `maximumVertexCount`, the curve skips some frequencies.
  private static let maximumVertexCount = 480

  /// The minimum value of ``top``, in dB.
  private static let minimumTop = 20.0
  private static let gainStep = 10.0

  /// The upper end of the gain axis in dB. The upper end of the axis is the same for both ears, and
  /// is a multiple of `gainStep`.
  private var top: Double {
    let maximumGain = Ear.allCases.compactMap { preset[$0] }.flatMap { gains in
      Self.vertexFrequencies(of: gains).flatMap { frequency in
        gains.plottedLevels.map { gains.toneGain(at: frequency, inputLevel: $0) }
      }
    }.max()
    let steps = ((maximumGain ?? 0) / Self.gainStep).rounded(.up)
    return max(Self.minimumTop, steps * Self.gainStep)
  }

  /// The frequencies of the points of an ear's curve.
  private static func vertexFrequencies(of gains: EarPreset) -> [Double] {
    let range = FrequencyAxis.clinicalRange
    let inside = gains.frequencies.filter(range.contains)
    let thinning = max(1, inside.count / maximumVertexCount)
    let kept = inside.enumerated().filter { $0.offset % thinning == 0 }.map(\.element)
    return Set(kept + [range.lowerBound, range.upperBound]).sorted()
  }

  /// Draws everything below the title and returns the height of the picture.
  private func draw(on canvas: inout Canvas) -> Double {
    let top = top
    let margin = top * 0.03
    for (index, ear) in Ear.clinicalOrder.enumerated() {
      let frame = canvas.layout.earFrame(index)
      let panel = canvas.earPanel(
        ear, in: frame,
        vertical: Scale(values: -margin...top + margin, start: frame.bottom, end: frame.top),
        ticks: PlotPanel.Tick.numbered(0...top, by: Self.gainStep), title: "Insertion gain (dB)",
        missing: preset[ear] == nil ? "Not measured: no gain" : nil)
      guard let panel, let gains = preset[ear] else { continue }
      for style in gains.isLevelDependent ? Self.styles : [Self.averageStyle] {
        draw(gains, of: ear, style: style, in: panel, on: &canvas)
      }
    }
    return canvas.finish(with: legend, below: canvas.layout.earsBottom + 54)
  }

  private func draw(
    _ gains: EarPreset, of ear: Ear, style: LevelStyle, in panel: PlotPanel,
    on canvas: inout Canvas
  ) {
    let gain = { gains.toneGain(at: $0, inputLevel: style.level) }
    canvas.polyline(
      Self.vertexFrequencies(of: gains).map { panel.point($0, max(0, gain($0))) },
      class: "hp-curve \(ear.style)\(style.dash)")
    let input = gains.isLevelDependent ? "\(style.level.readable()) dB SPL" : "every level"
    for frequency in PlottedValues.frequencies {
      canvas.symbols(
        [style.marker], at: panel.point(frequency, max(0, gain(frequency))),
        class: "hp-point " + ear.style,
        title: "\(ear.title), \(frequency.readable()) Hz, \(input): "
          + "\(gain(frequency).readable()) dB")
    }
  }

  private var legend: [[Legend.Entry]] {
    let ears = Ear.clinicalOrder.filter { preset[$0] != nil }
    let linear = ears.filter { preset[$0]?.isLevelDependent == false }
    let levels = Self.styles.map { Self.entry("Input \($0.level.readable()) dB SPL", style: $0) }
    guard let ear = linear.first else { return ears.isEmpty ? [] : [levels] }
    let isMixed = linear.count < ears.count
    let text = isMixed ? "\(ear.title): the same at every level" : "The same at every input level"
    return (isMixed ? [levels] : []) + [[Self.entry(text, style: Self.averageStyle)]]
  }

  private static func entry(_ text: String, style: LevelStyle) -> Legend.Entry {
    Legend.Entry(
      text: text, sample: [Legend.line(class: "hp-curve hp-any" + style.dash), style.marker])
  }
}
