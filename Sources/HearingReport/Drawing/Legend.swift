/// The legend of a picture. A legend consists of rows of entries. Each entry has a text. Most
/// entries also have a sample.
struct Legend: Sendable {
  struct Entry: Sendable {
    let text: String
    /// The CSS class of the sample.
    var style = "hp-any"
    /// A sample of the line or the symbol that the text explains. The centre of the sample has the
    /// coordinates (0, 0). The width is at most ``Legend/sampleWidth``.
    var sample: [MarkupElement] = []
    /// The width of the sample plus the width of the gap between the sample and the text. The width
    /// is 0 if the entry has no sample.
    var sampleSpace: Double { sample.isEmpty ? 0 : Legend.sampleWidth + 8 }
    /// The width of the whole entry: the sample, the gap and the text.
    var width: Double { sampleSpace + TextExtent.width(of: text) }
  }

  static let sampleWidth = 46.0
  static let rowHeight = 27.0
  private static let entryGap = 22.0

  /// A line with a length of ``sampleWidth``.
  static func line(class style: String) -> MarkupElement {
    let half = (sampleWidth / 2).coordinate()
    return MarkupElement(
      "line", ["x1": "-" + half, "y1": "0", "x2": half, "y2": "0", "class": style])
  }

  private(set) var rows: [[Entry]] = []

  /// Creates a legend with rows that are at most `width` wide. Each group of entries starts a new
  /// row.
  init(_ groups: [[Entry]], width: Double) {
    for group in groups {
      var used = Double.infinity
      for entry in group {
        if used + entry.width > width {
          rows.append([])
          used = 0
        }
        rows[rows.count - 1].append(entry)
        used += entry.width + Self.entryGap
      }
    }
  }

  var height: Double { Double(rows.count) * Self.rowHeight }

  /// Draws the rows. The upper left corner of the rows is at `corner`.
  func draw(on canvas: inout Canvas, at corner: Point) {
    for (index, row) in rows.enumerated() {
      let middle = corner.y + (Double(index) + 0.5) * Self.rowHeight
      var left = corner.x
      for entry in row {
        if !entry.sample.isEmpty {
          canvas.symbols(
            entry.sample, at: Point(x: left + Self.sampleWidth / 2, y: middle), class: entry.style)
        }
        canvas.text(
          entry.text, at: Point(x: left + entry.sampleSpace, y: middle + PictureStyle.baseline))
        left += entry.width + Self.entryGap
      }
    }
  }
}
