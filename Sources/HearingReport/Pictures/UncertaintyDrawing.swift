import HearingFitting

/// Draws the parts of an ``UncertaintyPicture``.
struct UncertaintyDrawing {
  private static let levels: ClosedRange<Double> = -10...120
  private static let levelStep = 20.0

  let profile: HearingProfile
  let record: MeasurementRecord
  private let layout: PictureLayout
  private let panels: [(ear: Ear, panel: PlotPanel)]

  init(_ profile: HearingProfile, record: MeasurementRecord, layout: PictureLayout) {
    self.layout = layout
    self.profile = profile
    self.record = record
    panels = Ear.clinicalOrder.enumerated().map { index, ear in
      let frame = layout.earFrame(index)
      let axis = FrequencyAxis(showing: profile[ear]?.points.map(\.frequency) ?? [])
      return (
        ear,
        PlotPanel(
          frame: frame, horizontal: axis.scale(over: frame),
          vertical: Scale(
            .linear, Self.levels.lowerBound - 4...Self.levels.upperBound + 4, from: frame.top,
            to: frame.bottom),
          horizontalTicks: axis.ticks(numbersBetweenOctaves: false, over: frame),
          verticalTicks: PlotPanel.Tick.numbered(
            0...Self.levels.upperBound, by: Self.levelStep))
      )
    }
  }

  /// Draws everything below the title and returns the height of the picture.
  func draw(on canvas: inout Canvas) -> Double {
    for (ear, panel) in panels {
      let audiogram = profile[ear]
      let isDrawn = panel.draw(
        ear, isKnown: audiogram != nil, missing: "Not measured",
        verticalTitle: "Hearing level (dB HL)", on: &canvas)
      guard isDrawn, let audiogram else { continue }
      for point in audiogram.points { draw(point, of: ear, in: panel, on: &canvas) }
      for repetition in record.repeats where repetition.ear == ear {
        draw(repetition, in: panel, on: &canvas)
      }
    }
    let legend = Legend(
      [
        [
          Legend.Entry("Threshold", sample: [Marker.ring.element]),
          Legend.Entry(
            "Range, right in 9 of 10 cases",
            sample: [
              MarkupElement(
                "line", ["x1": "0", "y1": "-10", "x2": "0", "y2": "10", "class": "hp-line hp-any"])
            ]),
          Legend.Entry("Measured again", sample: [Marker.smallCross.element]),
        ]
      ], width: layout.legendWidth)
    return canvas.finish(with: legend, below: layout.earsBottom + 54)
  }

  private func draw(
    _ point: Audiogram.Point, of ear: Ear, in panel: PlotPanel, on canvas: inout Canvas
  ) {
    let style = PictureStyle.style(of: ear)
    var title =
      "\(ear.title), \(point.frequency.readable()) Hz: \(point.threshold.readable()) dB HL"
    if let range = record.threshold(of: ear, at: point.frequency) {
      let low = shown(range.lowest)
      let high = shown(range.highest)
      canvas.line(
        from: panel.point(point.frequency, low), to: panel.point(point.frequency, high),
        class: "hp-line " + style)
      title += ", \(range.lowest.readable()) to \(range.highest.readable())"
    }
    canvas.symbols(
      [Marker.ring.element], at: panel.point(point.frequency, point.threshold),
      class: "hp-point " + style, title: title)
  }

  private func draw(
    _ repetition: MeasurementRecord.Repeat, in panel: PlotPanel, on canvas: inout Canvas
  ) {
    canvas.symbols(
      [Marker.smallCross.element],
      at: panel.point(repetition.frequency, shown(repetition.second)),
      class: "hp-point " + PictureStyle.style(of: repetition.ear),
      title: "\(repetition.ear.title), \(repetition.frequency.readable()) Hz, measured again: "
        + "\(repetition.second.readable()) dB HL")
  }

  private func shown(_ level: Double) -> Double {
    min(max(level, Self.levels.lowerBound), Self.levels.upperBound)
  }
}
