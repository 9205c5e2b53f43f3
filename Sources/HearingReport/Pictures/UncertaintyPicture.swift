package import HearingFitting

/// A picture of measured thresholds and their uncertainty. The bar of a threshold shows the range
/// that contains the true threshold with a probability of 90 %.
///
///     if let record = profile.record {
///       let picture = UncertaintyPicture(profile, record: record)
///       try picture.svg.data.write(to: url)
///     }
///
/// There is a panel for each ear, with the same kinds of axes as in ``AudiogramPicture``. If the
/// listener heard no tone at a frequency, the bar extends down to 120 dB HL. A threshold that was
/// measured twice has a second, smaller symbol.
package struct UncertaintyPicture: Sendable, Equatable {
  /// The profile with the thresholds.
  package var profile: HearingProfile
  /// The record of the measurement, with the uncertainty of the thresholds.
  package var record: MeasurementRecord

  /// Creates a picture of a profile and its measurement record.
  package init(_ profile: HearingProfile, record: MeasurementRecord) {
    self.profile = profile
    self.record = record
  }

  /// The picture.
  package var svg: SVGPicture {
    SVGPicture(title: "How certain the thresholds are", summary: summary, draw: draw)
  }

  private var summary: String {
    Ear.sentences { ear in
      let ranges = record.thresholds.filter { $0.ear == ear }.map { threshold in
        "\(threshold.frequency.readable()) Hz \(threshold.lowest.readable()) to "
          + "\(threshold.highest.readable())"
      }
      guard !ranges.isEmpty else { return "\(ear.title): not measured." }
      return "\(ear.title), 90 % ranges in dB HL: \(ranges.joined(separator: ", "))."
    }
  }

  /// Draws everything below the title and returns the height of the picture.
  private func draw(on canvas: inout Canvas) -> Double {
    for (index, ear) in Ear.clinicalOrder.enumerated() {
      let frame = canvas.layout.earFrame(index)
      let points = profile[ear]?.points
      let panel = canvas.earPanel(
        ear, in: frame, showing: points?.map(\.frequency) ?? [],
        vertical: Scale(values: -14...124, start: frame.top, end: frame.bottom),
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
      Legend.Entry(text: "Threshold", sample: [.ring]),
      Legend.Entry(text: "Range, right in 9 of 10 cases", sample: [bar]),
      Legend.Entry(text: "Measured again", sample: [.smallCross]),
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

  /// The hearing level, clamped to the range that the picture shows: -10 to 120 dB HL.
  private func shown(_ level: Double) -> Double { min(max(level, -10), 120) }
}
