import HearingFitting

extension UncertaintyPicture {
  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    for (index, ear) in Ear.clinicalOrder.enumerated() {
      let frame = canvas.layout.earFrame(index)
      let points = profile[ear]?.points
      let panel = canvas.earPanel(
        ear, in: frame, showing: points?.map(\.frequency) ?? [],
        vertical: Scale(-14...124, from: frame.top, to: frame.bottom),
        ticks: PlotPanel.Tick.numbered(0...120, by: 20),
        title: "Hearing level (dB HL)", missing: points == nil ? "Not measured" : nil)
      guard let panel, let points else { continue }
      for point in points { draw(point, of: ear, in: panel, on: &canvas) }
      for repetition in record.repeats where repetition.ear == ear {
        canvas.symbols(
          [.smallCross], at: panel.point(repetition.frequency, shown(repetition.second)),
          class: "hp-point " + ear.style,
          title: "\(ear.title), \(repetition.frequency.readable()) Hz, measured again: "
            + "\(repetition.second.readable()) dB HL")
      }
    }
    let bar = MarkupElement(
      "line", ["x1": "0", "y1": "-10", "x2": "0", "y2": "10", "class": "hp-line hp-any"])
    let legend = [
      Legend.Entry("Threshold", sample: [.ring]),
      Legend.Entry("Range, right in 9 of 10 cases", sample: [bar]),
      Legend.Entry("Measured again", sample: [.smallCross]),
    ]
    return canvas.finish(with: [legend], below: canvas.layout.earsBottom + 54)
  }

  private func draw(
    _ point: Audiogram.Point, of ear: Ear, in panel: PlotPanel, on canvas: inout Canvas
  ) {
    var title =
      "\(ear.title), \(point.frequency.readable()) Hz: \(point.threshold.readable()) dB HL"
    if let range = record.threshold(of: ear, at: point.frequency) {
      canvas.line(
        from: panel.point(point.frequency, shown(range.lowest)),
        to: panel.point(point.frequency, shown(range.highest)), class: "hp-line " + ear.style)
      title += ", \(range.lowest.readable()) to \(range.highest.readable())"
    }
    canvas.symbols(
      [.ring], at: panel.point(point.frequency, point.threshold),
      class: "hp-point " + ear.style, title: title)
  }

  /// The level that is drawn, from -10 to 120 dB HL.
  private func shown(_ level: Double) -> Double {
    min(max(level, -10), 120)
  }
}
