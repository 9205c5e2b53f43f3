import HearingFitting

extension InsertionGainPicture {
  /// The style of the curve for one input level.
  private typealias LevelStyle = (level: Double, dash: String, marker: MarkupElement)

  private static let styles: [LevelStyle] = zip(
    PlottedValues.inputLevels,
    [(" hp-dash-soft", MarkupElement.dot), ("", .ring), (" hp-dash-loud", .box)]
  ).map { ($0, $1.0, $1.1) }

  /// The style for an ear whose gain does not depend on the level. It is the style for average
  /// sounds.
  private static let averageStyle = styles[1]

  /// The approximate maximum number of frequencies at which a curve is drawn. If a preset has more
  /// frequencies, some are skipped.
  private static let maximumVertexCount = 480

  /// The upper end of the gain axis is at least this value, in dB.
  private static let minimumTop = 20.0
  private static let gainStep = 10.0

  /// The upper end of the gain axis in dB. The value is the same for both ears, and a multiple of
  /// `gainStep`.
  private var top: Double {
    let maximumGain = Ear.allCases.compactMap { preset[$0] }.flatMap { gains in
      Self.vertexFrequencies(of: gains).flatMap(gains.plottedGains)
    }.max()
    let steps = ((maximumGain ?? 0) / Self.gainStep).rounded(.up)
    return max(Self.minimumTop, steps * Self.gainStep)
  }

  /// The frequencies of the points that form an ear's curve.
  private static func vertexFrequencies(of gains: EarPreset) -> [Double] {
    let range = FrequencyAxis.clinicalRange
    let inside = gains.frequencies.filter(range.contains)
    let thinning = max(1, inside.count / maximumVertexCount)
    let kept = inside.enumerated().filter { $0.offset % thinning == 0 }.map(\.element)
    return Set(kept + [range.lowerBound, range.upperBound]).sorted()
  }

  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    let top = top
    let margin = top * 0.03
    for (index, ear) in Ear.clinicalOrder.enumerated() {
      let frame = canvas.layout.earFrame(index)
      let panel = canvas.earPanel(
        ear, in: frame,
        vertical: Scale(-margin...top + margin, from: frame.bottom, to: frame.top),
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
    let gain = { gains.gain(at: $0, inputLevel: style.level) }
    canvas.polyline(
      Self.vertexFrequencies(of: gains).map { panel.point($0, gain($0)) },
      class: "hp-curve \(ear.style)\(style.dash)")
    let input = gains.isLevelDependent ? "\(style.level.readable()) dB SPL" : "every level"
    for frequency in PlottedValues.frequencies {
      canvas.symbols(
        [style.marker], at: panel.point(frequency, gain(frequency)),
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
    guard linear.count < ears.count else {
      return [[Self.entry("The same at every input level", style: Self.averageStyle)]]
    }
    let text = "\(ear.title): the same at every level"
    return [levels, [Self.entry(text, style: Self.averageStyle)]]
  }

  private static func entry(_ text: String, style: LevelStyle) -> Legend.Entry {
    Legend.Entry(
      text, sample: [Legend.line(class: "hp-curve hp-any" + style.dash), style.marker])
  }
}
