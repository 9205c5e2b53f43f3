import HearingFitting

/// A picture of the audibility of speech with and without processing. There are two bars for each
/// ear in ``indices``.
struct AudibilityPicture {
  /// The Speech Intelligibility Index of an ear, from 0 to 1.
  typealias Index = (ear: Ear, before: Double, after: Double)

  private static let barHeight = 20.0
  private static let top = 52.0

  let indices: [Index]

  var svg: SVGPicture {
    SVGPicture(title: "Audibility of speech", summary: summary, draw: draw)
  }

  /// Draws everything below the title and returns the height of the picture.
  private func draw(on canvas: inout Canvas) -> Double {
    let layout = canvas.layout
    let (left, barWidth) = layout.isNarrow ? (layout.margin, 280.0) : (250, 440)
    // The vertical distances between the two bars of an ear, and between the first bars of the two
    // ears.
    let (rowHeight, earHeight) = layout.isNarrow ? (46.0, 104.0) : (30, 78)
    // The height of the space for a name above a bar; 0 if the name is beside the bar.
    let nameHeight = layout.isNarrow ? 18.0 : 0
    for (position, index) in indices.enumerated() {
      let rows = [
        ("without processing", index.before, "hp-bar"),
        ("with processing", index.after, "hp-bar hp-bar-\(index.ear.rawValue)"),
      ]
      for (row, (name, value, style)) in rows.enumerated() {
        let y = Self.top + Double(position) * earHeight + Double(row) * rowHeight + nameHeight
        let baseline = y + 0.5 * Self.barHeight + PictureStyle.baseline
        canvas.text(
          "\(index.ear.title), \(name)",
          at: layout.isNarrow ? Point(x: left, y: y - 6) : Point(x: left - 10, y: baseline),
          anchor: layout.isNarrow ? .start : .end)
        var bar = Frame(left: left, top: y, width: max(1, barWidth * value), height: Self.barHeight)
        canvas.rectangle(bar, class: style)
        bar.width = barWidth
        canvas.rectangle(bar, class: "hp-frame")
        canvas.text(
          Self.percent(value), at: Point(x: bar.right + 12, y: baseline), class: "hp-title")
      }
    }
    return Self.top + Double(indices.count) * earHeight
  }

  private var summary: String {
    indices.map {
      "\($0.ear.title): \(Self.percent($0.before)) without processing, "
        + "\(Self.percent($0.after)) with processing."
    }.joined(separator: " ")
  }

  /// A Speech Intelligibility Index as a percentage.
  static func percent(_ index: Double) -> String {
    "\((100 * index).readable(places: 0)) %"
  }
}
