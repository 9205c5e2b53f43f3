/// A table of a report. The table has a caption, and headings for its columns and rows.
///
///     ReportTable(
///       caption: "Gain in dB", corner: "Frequency", columns: ["50 dB SPL", "65 dB SPL"],
///       rows: [("1000 Hz", ["18.2", "12.4"])])
///
/// All texts are escaped. Therefore texts from an untrusted source are safe.
public struct ReportTable: Sendable, Equatable {
  /// A description of the table, in one or two lines.
  public let caption: String
  /// The heading of the first column. The first column contains the headings of the rows.
  public let corner: String

  /// The table as HTML. Each heading has the attribute `scope`.
  let markup: MarkupElement

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - caption: A description of the table, in one or two lines.
  ///   - corner: The heading of the first column. The first column contains the headings of the
  ///     rows.
  ///   - columns: The headings of the columns. There must be at least one column.
  ///   - rows: The rows, each with a heading and one text for each column.
  public init(
    caption: String, corner: String, columns: [String], rows: [(title: String, cells: [String])]
  ) {
    self.init(caption: caption, corner: corner, groups: [(nil, columns)], rows: rows)
  }

  /// Creates a table with groups of columns. The heading of a group is above the headings of the
  /// group's columns.
  ///
  /// - Parameters:
  ///   - caption: A description of the table, in one or two lines.
  ///   - corner: The heading of the first column. The first column contains the headings of the
  ///     rows.
  ///   - groups: The groups, each with a heading and the headings of the group's columns. If the
  ///     heading of a group is nil, the columns of the group have no common heading. There must be
  ///     at least one column.
  ///   - rows: The rows, each with a heading and with one text for each column of every group.
  public init(
    caption: String, corner: String, groups: [(title: String?, columns: [String])],
    rows: [(title: String, cells: [String])]
  ) {
    let columnCount = groups.reduce(0) { $0 + $1.columns.count }
    precondition(columnCount > 0, "the table has no columns: \(caption)")
    for row in rows {
      precondition(
        row.cells.count == columnCount,
        "row \(row.title) has \(row.cells.count) cells for \(columnCount) columns")
    }
    self.caption = caption
    self.corner = corner
    let body = rows.map { title, cells in
      MarkupElement(
        "tr", [:],
        [MarkupElement("th", ["scope": "row"], text: title)]
          + cells.map { MarkupElement("td", text: $0) })
    }
    let head = Self.head(groups.filter { !$0.columns.isEmpty }, corner: corner)
    let table = MarkupElement(
      "table", [:],
      [MarkupElement("caption", text: caption)] + head + [MarkupElement("tbody", [:], body)])
    // The table can get the keyboard focus. Therefore keyboard users can scroll the table on narrow
    // pages.
    markup = MarkupElement(
      "div", ["class": "table", "tabindex": "0", "role": "region", "aria-label": caption], [table])
  }

  /// The head of the table. If groups have headings, the head also contains `colgroup` elements.
  /// The first `colgroup` element is for the column of the row headings. The other `colgroup`
  /// elements are for the groups. HTML requires `colgroup` elements for headings with the scope
  /// `colgroup`.
  private static func head(
    _ groups: [(title: String?, columns: [String])], corner: String
  ) -> [MarkupElement] {
    let titles = groups.flatMap(\.columns).map { MarkupElement("th", ["scope": "col"], text: $0) }
    let hasHeadings = groups.contains { $0.title != nil }
    let corner = MarkupElement(
      "th", ["scope": "col", "rowspan": hasHeadings ? "2" : nil], text: corner)
    let headings = groups.map { title, columns in
      MarkupElement(
        title == nil ? "td" : "th",
        ["scope": title.map { _ in "colgroup" }, "colspan": "\(columns.count)"], text: title ?? "")
    }
    let rows = hasHeadings ? [[corner] + headings, titles] : [[corner] + titles]
    let widths = hasHeadings ? [1] + groups.map(\.columns.count) : []
    return widths.map { MarkupElement("colgroup", ["span": "\($0)"]) }
      + [MarkupElement("thead", [:], rows.map { MarkupElement("tr", [:], $0) })]
  }
}
