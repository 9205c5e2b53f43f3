import HearingFitting

/// A picture with bars that compare the audibility of speech with and without processing, for each
/// known ear.
struct AudibilityPicture: Sendable, Equatable {
  /// The Speech Intelligibility Index of an ear, 0…1.
  struct Index: Sendable, Equatable {
    let ear: Ear
    let before: Double
    let after: Double
  }

  private static let barHeight = 20.0
  private static let top = 52.0

  /// The positions of the bars and of their names.
  private struct Arrangement {
    let left: Double
    let barWidth: Double
    /// The vertical distance between the two bars of an ear.
    let rowHeight: Double
    let earHeight: Double
    /// The height of a name above its bar. The value 0 means that the name is beside the bar.
    let nameHeight: Double

    init(_ layout: PictureLayout) {
      (left, barWidth, rowHeight, earHeight, nameHeight) =
        layout.isNarrow ? (layout.margin, 280, 46, 104, 18) : (250, 440, 30, 78, 0)
    }
  }

  let indices: [Index]

  var svg: SVGPicture {
    SVGPicture(title: "Audibility of speech", summary: summary, draw: draw)
  }

  /// Draws everything below the title and returns the height of the picture.
  private func draw(on canvas: inout Canvas) -> Double {
    let metrics = Arrangement(canvas.layout)
    for (index, ear) in indices.enumerated() {
      let rows = [
        ("without processing", ear.before, "hp-bar"),
        ("with processing", ear.after, "hp-bar hp-bar-\(ear.ear.rawValue)"),
      ]
      for (row, (name, value, style)) in rows.enumerated() {
        let y =
          Self.top + Double(index) * metrics.earHeight + Double(row) * metrics.rowHeight
          + metrics.nameHeight
        let baseline = y + 0.5 * Self.barHeight + PictureStyle.baseline
        let text = "\(ear.ear.title), \(name)"
        if metrics.nameHeight > 0 {
          canvas.text(text, at: Point(x: metrics.left, y: y - 6))
        } else {
          canvas.text(text, at: Point(x: metrics.left - 10, y: baseline), anchor: .end)
        }
        canvas.rectangle(
          Frame(
            left: metrics.left, top: y, width: max(1, metrics.barWidth * value),
            height: Self.barHeight),
          class: style)
        canvas.rectangle(
          Frame(left: metrics.left, top: y, width: metrics.barWidth, height: Self.barHeight),
          class: "hp-frame")
        canvas.text(
          Self.percent(value), at: Point(x: metrics.left + metrics.barWidth + 12, y: baseline),
          class: "hp-title")
      }
    }
    return Self.top + Double(indices.count) * metrics.earHeight
  }

  private var summary: String {
    indices.map {
      "\($0.ear.title): \(Self.percent($0.before)) without processing, "
        + "\(Self.percent($0.after)) with processing."
    }.joined(separator: " ")
  }

  /// The index as a percentage.
  static func percent(_ index: Double) -> String {
    "\((100 * index).readable(places: 0)) %"
  }
}
