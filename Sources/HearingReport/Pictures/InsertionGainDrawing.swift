import HearingFitting

/// Draws the parts of an ``InsertionGainPicture``.
struct InsertionGainDrawing {
  /// The style of the curve for one input level.
  private struct LevelStyle {
    let level: Double
    let dash: String
    let marker: Marker
  }

  private static let styles = zip(
    PlottedValues.inputLevels,
    [(" hp-dash-soft", Marker.dot), ("", .ring), (" hp-dash-loud", .box)]
  ).map { LevelStyle(level: $0, dash: $1.0, marker: $1.1) }

  /// The style for an ear whose gain does not depend on the level. It is the style for average
  /// sounds.
  private static let averageStyle = styles[1]

  /// The approximate maximum number of frequencies at which a curve is drawn. If a preset has more
  /// frequencies, some are skipped.
  private static let maximumVertexCount = 480

  /// The upper end of the gain axis is at least this value, in dB.
  private static let minimumTop = 20.0
  private static let gainStep = 10.0

  let preset: Preset
  private let layout: PictureLayout
  private let panels: [(ear: Ear, panel: PlotPanel)]

  init(_ preset: Preset, layout: PictureLayout) {
    self.layout = layout
    self.preset = preset
    let top = Self.top(of: preset)
    panels = Ear.clinicalOrder.enumerated().map { index, ear in
      let frame = layout.earFrame(index)
      let axis = FrequencyAxis()
      let horizontal = axis.scale(over: frame)
      let margin = top * 0.03
      return (
        ear,
        PlotPanel(
          frame: frame, horizontal: horizontal,
          vertical: Scale(
            .linear, -margin...top + margin, from: frame.bottom, to: frame.top),
          horizontalTicks: axis.ticks(numbersBetweenOctaves: false, over: frame),
          verticalTicks: PlotPanel.Tick.numbered(0...top, by: Self.gainStep))
      )
    }
  }

  /// The upper end of the gain axis in dB. The value is the same for both ears, and a multiple of
  /// `gainStep`.
  private static func top(of preset: Preset) -> Double {
    let maximumGain = Ear.allCases.compactMap { preset[$0] }.flatMap { gains in
      vertexFrequencies(of: gains).flatMap { frequency in
        styles.map { gains.gain(at: frequency, inputLevel: $0.level) }
      }
    }.max()
    return max(minimumTop, ((maximumGain ?? 0) / gainStep).rounded(.up) * gainStep)
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
    for (ear, panel) in panels {
      let gains = preset[ear]
      let isDrawn = panel.draw(
        ear, isKnown: gains != nil, missing: "Not measured: no gain",
        verticalTitle: "Insertion gain (dB)", on: &canvas)
      guard isDrawn, let gains else { continue }
      for style in gains.isLevelDependent ? Self.styles : [Self.averageStyle] {
        draw(gains, of: ear, style: style, in: panel, on: &canvas)
      }
    }
    return canvas.finish(with: legend, below: layout.earsBottom + 54)
  }

  private func draw(
    _ gains: EarPreset, of ear: Ear, style: LevelStyle, in panel: PlotPanel,
    on canvas: inout Canvas
  ) {
    let color = PictureStyle.style(of: ear)
    let gain = { gains.gain(at: $0, inputLevel: style.level) }
    canvas.polyline(
      Self.vertexFrequencies(of: gains).map { panel.point($0, gain($0)) },
      class: "hp-curve \(color)\(style.dash)")
    let input = gains.isLevelDependent ? "\(style.level.readable()) dB SPL" : "every level"
    for frequency in PlottedValues.frequencies {
      canvas.symbols(
        [style.marker.element], at: panel.point(frequency, gain(frequency)),
        class: "hp-point " + color,
        title: "\(ear.title), \(frequency.readable()) Hz, \(input): "
          + "\(gain(frequency).readable()) dB")
    }
  }

  private var legend: Legend {
    let known = Ear.clinicalOrder.compactMap { preset[$0] }
    let byLevel = Self.styles.map { style in
      Self.entry("Input \(style.level.readable()) dB SPL", style: style)
    }
    let linear = Self.entry("The same at every input level", style: Self.averageStyle)
    let isMixed = known.contains(where: \.isLevelDependent) && !known.allSatisfy(\.isLevelDependent)
    if isMixed {
      let name = Ear.clinicalOrder.first { preset[$0]?.isLevelDependent == false }?.title ?? ""
      return Legend(
        [
          byLevel, [Self.entry("\(name): the same at every level", style: Self.averageStyle)],
        ],
        width: layout.legendWidth)
    }
    guard let first = known.first else { return Legend([], width: 0) }
    return Legend(
      [first.isLevelDependent ? byLevel : [linear]], width: layout.legendWidth)
  }

  private static func entry(_ text: String, style: LevelStyle) -> Legend.Entry {
    Legend.Entry(
      text, style: "hp-any",
      sample: [
        Legend.line(class: "hp-curve hp-any" + style.dash), style.marker.element,
      ])
  }
}
