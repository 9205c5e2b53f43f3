import HearingFitting

/// Bars that compare the audibility of speech with and without processing, for each known ear.
struct AudibilityPicture: Sendable, Equatable {
  /// The Speech Intelligibility Index of an ear, 0…1.
  struct Index: Sendable, Equatable {
    let ear: Ear
    let before: Double
    let after: Double
  }

  private static let left = 210.0
  private static let barWidth = 480.0
  private static let barHeight = 20.0
  private static let rowHeight = 30.0
  private static let earHeight = 78.0

  let indices: [Index]

  init(_ indices: [Index]) {
    self.indices = indices
  }

  var svg: SVGPicture {
    var canvas = Canvas()
    canvas.pictureTitle("Audibility of speech")
    for (index, ear) in indices.enumerated() {
      let top = 52 + Double(index) * Self.earHeight
      let rows = [
        ("without processing", ear.before, "hp-bar"),
        ("with processing", ear.after, "hp-bar hp-bar-\(ear.ear.rawValue)"),
      ]
      for (row, (name, value, style)) in rows.enumerated() {
        let y = top + Double(row) * Self.rowHeight
        let baseline = y + 0.5 * Self.barHeight + 0.35 * PictureStyle.textSize
        canvas.text(
          "\(ear.ear.title), \(name)", at: Place(x: Self.left - 10, y: baseline), anchor: .end)
        canvas.rectangle(
          Frame(
            left: Self.left, top: y, width: max(1, Self.barWidth * value), height: Self.barHeight),
          class: style)
        canvas.rectangle(
          Frame(left: Self.left, top: y, width: Self.barWidth, height: Self.barHeight),
          class: "hp-frame")
        canvas.text(
          Self.percent(value), at: Place(x: Self.left + Self.barWidth + 12, y: baseline),
          class: "hp-title")
      }
    }
    return SVGPicture(
      title: "Audibility of speech", summary: summary,
      height: 52 + Double(indices.count) * Self.earHeight, elements: canvas.elements)
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
