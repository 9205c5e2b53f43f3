/// The legend of a picture. A legend consists of rows, and each row consists of entries. Each entry
/// has a sample and a text.
struct Legend: Sendable {
  struct Entry: Sendable {
    let text: String
    /// The CSS class of the sample.
    let style: String
    /// The sample of the line or of the symbol. The sample is drawn around the origin, and is at
    /// most ``Legend/sampleWidth`` wide.
    let sample: [MarkupElement]
    /// The width of the sample and of the gap beside it.
    let sampleSpace: Double
    /// The width of the sample and of the text.
    let width: Double

    init(_ text: String, style: String = "hp-any", sample: [MarkupElement] = []) {
      self.text = text
      self.style = style
      self.sample = sample
      sampleSpace = sample.isEmpty ? 0 : Legend.sampleWidth + 8
      width = sampleSpace + TextExtent.width(of: text)
    }
  }

  static let sampleWidth = 46.0
  static let rowHeight = 27.0
  private static let entryGap = 22.0

  /// A line with a length of ``sampleWidth``.
  static func line(class style: String) -> MarkupElement {
    let half = sampleWidth / 2
    return MarkupElement(
      "line",
      [
        "x1": (-half).coordinate(), "y1": "0", "x2": half.coordinate(), "y2": "0", "class": style,
      ])
  }

  let rows: [[Entry]]

  /// Creates a legend with the entries in rows of at most `width`. Each group starts a new row.
  init(_ groups: [[Entry]], width: Double) {
    var rows: [[Entry]] = []
    for group in groups {
      var row: [Entry] = []
      var used = 0.0
      for entry in group {
        if !row.isEmpty, used + entry.width > width {
          rows.append(row)
          (row, used) = ([], 0)
        }
        row.append(entry)
        used += entry.width + Self.entryGap
      }
      if !row.isEmpty { rows.append(row) }
    }
    self.rows = rows
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
