import HearingFitting

extension SpectrumPicture {
  private static let step = 10.0
  /// The level axis covers at least this range in dB.
  private static let minimumSpan = 40.0
  /// The maximum level is at least this distance in dB below the upper edge.
  private static let headroom = 2.0

  /// The range of the levels that are drawn, in dB SPL. Nil if there is only silence.
  private var shownLevels: ClosedRange<Double>? {
    let heard = curves.flatMap(\.levels.values).joined().filter { abs($0) < 1000 }
    guard let maximum = heard.max(),
      let minimum = heard.filter({ $0 >= maximum - depth }).min()
    else { return nil }
    return minimum...maximum
  }

  /// The range of the level axis in dB SPL. Both ends are multiples of `step`.
  private var axisLevels: ClosedRange<Double> {
    guard let shown = shownLevels else { return 0...depth }
    let top = ((shown.upperBound + Self.headroom) / Self.step).rounded(.up) * Self.step
    let bottom = (shown.lowerBound / Self.step).rounded(.down) * Self.step
    return min(bottom, top - Self.minimumSpan)...top
  }

  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    let levels = axisLevels
    let margin = (levels.upperBound - levels.lowerBound) * 0.03
    let shown = levels.lowerBound - margin...levels.upperBound + margin
    var bottom = 0.0
    for (index, ear) in Ear.clinicalOrder.enumerated() {
      let frame = canvas.layout.wideFrame(index, height: 230, rowHeight: 320)
      bottom = frame.bottom
      let curves = self.curves.filter { $0.levels[ear] != nil }
      let panel = canvas.earPanel(
        ear, in: frame, showing: frequencies,
        vertical: Scale(shown, from: frame.bottom, to: frame.top),
        ticks: PlotPanel.Tick.numbered(levels, by: Self.step), title: "Level (dB SPL)",
        missing: curves.isEmpty ? "Nothing measured" : nil)
      guard let panel else { continue }
      for curve in curves { draw(curve, of: ear, in: panel, on: &canvas) }
    }
    return canvas.finish(with: legend, below: bottom + 54)
  }

  /// Draws the values within `shownLevels`. All other values, such as silence, interrupt the curve.
  private func draw(_ curve: Curve, of ear: Ear, in panel: PlotPanel, on canvas: inout Canvas) {
    let values = curve.levels[ear] ?? []
    let shown = shownLevels
    let isDrawn = values.map { shown?.contains($0) ?? false }
    let color = curve.style.isColored ? ear.style : "hp-any"
    for run in isDrawn.indices.split(whereSeparator: { !isDrawn[$0] }) {
      canvas.polyline(
        run.map { panel.point(frequencies[$0], values[$0]) },
        class: "hp-curve \(color)\(curve.style.dash)")
    }
    guard let marker = curve.style.marker else { return }
    for band in values.indices where isDrawn[band] {
      let frequency = frequencies[band]
      canvas.symbols(
        [marker], at: panel.point(frequency, values[band]), class: "hp-point " + color,
        title: "\(ear.title), \(curve.name.lowercased()), \(frequency.readable(places: 2)) Hz: "
          + "\(values[band].readable()) dB SPL")
    }
  }

  /// The entries of the legend. If a curve has the colour of its ear, it has one entry for each
  /// ear.
  private var legend: [[Legend.Entry]] {
    let entries = curves.filter { !$0.levels.isEmpty }.flatMap { curve in
      guard curve.style.isColored else {
        return [Self.entry(curve.name, curve.style, color: "hp-any")]
      }
      return Ear.clinicalOrder.filter { curve.levels[$0] != nil }.map {
        Self.entry("\(curve.name), \($0.title.lowercased())", curve.style, color: $0.style)
      }
    }
    return [entries]
  }

  private static func entry(_ text: String, _ style: Curve.Style, color: String) -> Legend.Entry {
    let line = Legend.line(class: "hp-curve \(color)\(style.dash)")
    return Legend.Entry(text, style: color, sample: [line, style.marker].compactMap(\.self))
  }
}
