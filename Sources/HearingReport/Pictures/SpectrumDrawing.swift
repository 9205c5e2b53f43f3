import HearingFitting

/// Draws the parts of a ``SpectrumPicture``.
struct SpectrumDrawing {
  private static let height = 230.0
  private static let top = 72.0
  private static let rowHeight = 320.0
  /// The distance of the panels from the right edge.
  private static let rightMargin = (wide: 34.0, narrow: 12.0)
  private static let step = 10.0
  /// The range of levels drawn below the highest one, in dB.
  private static let depth = 80.0
  /// The minimum height of the level axis, in dB.
  private static let leastSpan = 40.0
  /// The minimum distance between the highest level and the upper edge, in dB.
  private static let headroom = 2.0

  let frequencies: [Double]
  let before: [Ear: [Double]]
  let after: [Ear: [Double]]
  private let layout: PictureLayout
  private let axis: FrequencyAxis
  /// The lowest level that is drawn.
  private let lowest: Double
  /// The range of the level axis.
  private let levels: ClosedRange<Double>

  init(
    frequencies: [Double], before: [Ear: [Double]], after: [Ear: [Double]], layout: PictureLayout
  ) {
    self.layout = layout
    self.frequencies = frequencies
    self.before = before
    self.after = after
    axis = FrequencyAxis(showing: frequencies)
    let all = (Array(before.values) + Array(after.values)).joined()
    let heard = all.filter { abs($0) < 1000 }
    lowest = (heard.max() ?? 0) - Self.depth
    levels = Self.range(of: heard.filter { [lowest] in $0 >= lowest })
  }

  /// The range of the axis in whole steps around the levels.
  private static func range(of levels: [Double]) -> ClosedRange<Double> {
    guard let highest = levels.max(), let lowest = levels.min() else { return 0...depth }
    let top = ((highest + headroom) / step).rounded(.up) * step
    let bottom = (lowest / step).rounded(.down) * step
    return min(bottom, top - leastSpan)...top
  }

  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    var bottom = 0.0
    for (index, ear) in Ear.clinicalOrder.enumerated() {
      let panel = panel(index)
      bottom = panel.frame.bottom
      canvas.text(
        ear.title, at: Place(x: panel.frame.left, y: panel.frame.top - 10),
        size: PictureStyle.headingSize, class: "hp-title")
      guard let before = before[ear], let after = after[ear] else {
        canvas.rectangle(panel.frame, class: "hp-frame")
        panel.note("Nothing measured", on: &canvas)
        continue
      }
      panel.draw(on: &canvas)
      canvas.verticalTitle("Level (dB SPL)", beside: panel.frame)
      canvas.horizontalTitle("Frequency (Hz)", below: panel.frame)
      let name = "\(ear.title), "
      draw(before, as: Self.styleBefore, name: name + "before", in: panel, on: &canvas)
      draw(after, as: Self.styleAfter(of: ear), name: name + "after", in: panel, on: &canvas)
    }
    let legend = legend
    legend.draw(on: &canvas, at: Place(x: layout.legendLeft, y: bottom + 54))
    return bottom + 54 + legend.height + 12
  }

  private func panel(_ index: Int) -> PlotPanel {
    let right = layout.isNarrow ? Self.rightMargin.narrow : Self.rightMargin.wide
    let frame = Frame(
      left: layout.panelLeft, top: Self.top + Double(index) * Self.rowHeight,
      width: layout.width - layout.panelLeft - right, height: Self.height)
    let margin = (levels.upperBound - levels.lowerBound) * 0.03
    return PlotPanel(
      frame: frame, horizontal: axis.scale(over: frame),
      vertical: Scale(
        .linear, levels.lowerBound - margin...levels.upperBound + margin, from: frame.bottom,
        to: frame.top),
      horizontalTicks: axis.ticks(numbersBetweenOctaves: false, over: frame),
      verticalTicks: stride(from: levels.lowerBound, through: levels.upperBound, by: Self.step)
        .map { PlotPanel.Tick(value: $0, text: $0.readable()) })
  }

  /// The style of a curve.
  private struct CurveStyle {
    let line: String
    let symbol: String
    let marker: Marker
  }

  private static let styleBefore = CurveStyle(
    line: "hp-curve hp-any hp-dash-soft", symbol: "hp-any", marker: .dot)

  private static func styleAfter(of ear: Ear) -> CurveStyle {
    let color = PictureStyle.style(of: ear)
    return CurveStyle(line: "hp-curve \(color)", symbol: color, marker: .ring)
  }

  /// Draws the values within the axis; silence interrupts a curve.
  private func draw(
    _ values: [Double], as style: CurveStyle, name: String, in panel: PlotPanel,
    on canvas: inout Canvas
  ) {
    let isDrawn = values.map { $0 >= lowest && levels.contains($0) }
    for run in isDrawn.indices.split(whereSeparator: { !isDrawn[$0] }) {
      canvas.polyline(
        run.map { panel.place(frequencies[$0], values[$0]) }, class: style.line)
    }
    for band in values.indices where isDrawn[band] {
      let frequency = frequencies[band]
      canvas.symbols(
        [style.marker.element], at: panel.place(frequency, values[band]),
        class: "hp-point " + style.symbol,
        title: "\(name), \(frequency.readable(places: 2)) Hz: "
          + "\(values[band].readable()) dB SPL")
    }
  }

  private var legend: Legend {
    let known = Ear.clinicalOrder.filter {
      before[$0] != nil && after[$0] != nil
    }
    guard !known.isEmpty else { return Legend([], width: 0) }
    let first = Self.entry("Before", Self.styleBefore)
    let others = known.map { ear in
      Self.entry("After, \(ear.title.lowercased())", Self.styleAfter(of: ear))
    }
    return Legend([[first] + others], width: layout.legendWidth)
  }

  private static func entry(_ text: String, _ style: CurveStyle) -> Legend.Entry {
    Legend.Entry(
      text, style: style.symbol,
      sample: [Legend.line(class: style.line), style.marker.element])
  }
}
