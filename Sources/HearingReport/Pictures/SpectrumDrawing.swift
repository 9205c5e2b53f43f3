import HearingFitting

/// Draws the parts of a ``SpectrumPicture``.
struct SpectrumDrawing {
  private static let height = 230.0
  private static let top = 72.0
  private static let rowHeight = 320.0
  /// The distance from the panels to the right edge.
  private static let rightMargin = (wide: 34.0, narrow: 12.0)
  private static let step = 10.0
  /// The level axis covers at least this range in dB.
  private static let minimumSpan = 40.0
  /// The maximum level is at least this distance in dB below the upper edge.
  private static let headroom = 2.0

  private let picture: SpectrumPicture
  private let layout: PictureLayout
  private let axis: FrequencyAxis
  /// The minimum level that is drawn, in dB SPL.
  private let minimumLevel: Double
  /// The range of the level axis, in dB SPL.
  private let levels: ClosedRange<Double>

  init(_ picture: SpectrumPicture, layout: PictureLayout) {
    self.picture = picture
    self.layout = layout
    axis = FrequencyAxis(showing: picture.frequencies)
    let heard = picture.curves.flatMap(\.levels.values).joined().filter { abs($0) < 1000 }
    minimumLevel = (heard.max() ?? 0) - picture.depth
    levels = Self.range(
      of: heard.filter { [minimumLevel] in $0 >= minimumLevel }, depth: picture.depth)
  }

  /// The range of an axis that includes all `levels`. Both ends are multiples of `step`.
  private static func range(of levels: [Double], depth: Double) -> ClosedRange<Double> {
    guard let maximum = levels.max(), let minimum = levels.min() else { return 0...depth }
    let top = ((maximum + headroom) / step).rounded(.up) * step
    let bottom = (minimum / step).rounded(.down) * step
    return min(bottom, top - minimumSpan)...top
  }

  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    var bottom = 0.0
    for (index, ear) in Ear.clinicalOrder.enumerated() {
      let panel = panel(index)
      bottom = panel.frame.bottom
      let curves = picture.curves.filter { $0.levels[ear] != nil }
      let isDrawn = panel.draw(
        ear, isKnown: !curves.isEmpty, missing: "Nothing measured", verticalTitle: "Level (dB SPL)",
        on: &canvas)
      for curve in isDrawn ? curves : [] { draw(curve, of: ear, in: panel, on: &canvas) }
    }
    return canvas.finish(with: legend, below: bottom + 54)
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
      verticalTicks: PlotPanel.Tick.numbered(levels, by: Self.step))
  }

  /// Draws the values that lie within the axis. All other values, such as silence, interrupt the
  /// curve.
  private func draw(
    _ curve: SpectrumPicture.Curve, of ear: Ear, in panel: PlotPanel, on canvas: inout Canvas
  ) {
    let values = curve.levels[ear] ?? []
    let isDrawn = values.map { $0 >= minimumLevel && levels.contains($0) }
    let color = curve.style.isColored ? PictureStyle.style(of: ear) : "hp-any"
    for run in isDrawn.indices.split(whereSeparator: { !isDrawn[$0] }) {
      canvas.polyline(
        run.map { panel.point(picture.frequencies[$0], values[$0]) },
        class: "hp-curve \(color)\(curve.style.dash)")
    }
    guard let marker = curve.style.marker else { return }
    for band in values.indices where isDrawn[band] {
      let frequency = picture.frequencies[band]
      canvas.symbols(
        [marker.element], at: panel.point(frequency, values[band]), class: "hp-point " + color,
        title: "\(ear.title), \(curve.name.lowercased()), \(frequency.readable(places: 2)) Hz: "
          + "\(values[band].readable()) dB SPL")
    }
  }

  /// The entries of the legend. If a curve has the colour of its ear, it has one entry for each
  /// ear.
  private var legend: Legend {
    let entries = picture.curves.flatMap { curve in
      let ears = Ear.clinicalOrder.filter { curve.levels[$0] != nil }
      guard curve.style.isColored else {
        return ears.isEmpty ? [] : [Self.entry(curve.name, curve.style, color: "hp-any")]
      }
      return ears.map {
        Self.entry(
          "\(curve.name), \($0.title.lowercased())", curve.style, color: PictureStyle.style(of: $0))
      }
    }
    return Legend([entries], width: layout.legendWidth)
  }

  private static func entry(
    _ text: String, _ style: SpectrumPicture.Curve.Style, color: String
  ) -> Legend.Entry {
    Legend.Entry(
      text, style: color,
      sample: [Legend.line(class: "hp-curve \(color)\(style.dash)")]
        + (style.marker.map { [$0.element] } ?? []))
  }
}
