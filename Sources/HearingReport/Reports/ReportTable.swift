/// A table of a report: a caption, and columns and rows with headings.
///
///     ReportTable(
///       caption: "Gain in dB", corner: "Frequency", columns: ["50 dB SPL", "65 dB SPL"],
///       rows: [("1000 Hz", ["18.2", "12.4"])])
///
/// Texts may come from an untrusted source. All texts are escaped.
public struct ReportTable: Sendable, Equatable {
  private struct Group: Sendable, Equatable {
    let title: String?
    let columns: [String]
  }

  struct Row: Sendable, Equatable {
    let title: String
    let cells: [String]
  }

  /// A description of the table, in one or two lines.
  public let caption: String
  /// The heading of the first column, which contains the rows' headings.
  public let corner: String

  private let groups: [Group]
  let rows: [Row]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - caption: A description of the table, in one or two lines.
  ///   - corner: The heading of the first column, which contains the rows' headings.
  ///   - columns: The headings of the columns. There must be at least one column.
  ///   - rows: The rows, each with a heading and one text for each column.
  public init(
    caption: String, corner: String, columns: [String], rows: [(title: String, cells: [String])]
  ) {
    self.init(caption: caption, corner: corner, groups: [(nil, columns)], rows: rows)
  }

  /// Creates a table whose columns are in groups. The heading of a group is above the headings of
  /// its columns.
  ///
  /// - Parameters:
  ///   - caption: A description of the table, in one or two lines.
  ///   - corner: The heading of the first column, which contains the rows' headings.
  ///   - groups: The groups, each with a heading and the headings of its columns. If the heading of
  ///     a group is nil, its columns have no common heading. There must be at least one column.
  ///   - rows: The rows, each with a heading and one text for each column of all groups.
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
    self.groups = groups.compactMap { group in
      group.columns.isEmpty ? nil : Group(title: group.title, columns: group.columns)
    }
    self.rows = rows.map { Row(title: $0.title, cells: $0.cells) }
  }
}

extension ReportTable {
  /// The table as HTML. Each heading has a scope.
  var markup: MarkupElement {
    let body = rows.map { row in
      MarkupElement(
        "tr", [:],
        [MarkupElement("th", ["scope": "row"], text: row.title)]
          + row.cells.map { MarkupElement("td", text: $0) })
    }
    let table = MarkupElement(
      "table", [:],
      [
        MarkupElement("caption", text: caption)
      ] + columnGroups + [
        MarkupElement("thead", [:], head), MarkupElement("tbody", [:], body),
      ])
    // The table can be focused with the keyboard, because it scrolls horizontally on narrow pages.
    return MarkupElement(
      "div", ["class": "table", "tabindex": "0", "role": "region", "aria-label": caption], [table])
  }

  private var hasGroupHeadings: Bool { groups.contains { $0.title != nil } }

  /// The groups as HTML elements. The first element is the column of the row headings. Headings
  /// with the scope `colgroup` need these elements.
  private var columnGroups: [MarkupElement] {
    guard hasGroupHeadings else { return [] }
    return [MarkupElement("colgroup", ["span": "1"])]
      + groups.map { MarkupElement("colgroup", ["span": "\($0.columns.count)"]) }
  }

  private var head: [MarkupElement] {
    let titles = groups.flatMap(\.columns).map { MarkupElement("th", ["scope": "col"], text: $0) }
    let corner = MarkupElement("th", ["scope": "col"], text: corner)
    guard hasGroupHeadings else { return [MarkupElement("tr", [:], [corner] + titles)] }
    let first = groups.map { group in
      let width = "\(group.columns.count)"
      guard let title = group.title else { return MarkupElement("td", ["colspan": width]) }
      return MarkupElement("th", ["scope": "colgroup", "colspan": width], text: title)
    }
    var tall = corner
    tall.attributes.append(.init(name: "rowspan", value: "2"))
    return [MarkupElement("tr", [:], [tall] + first), MarkupElement("tr", [:], titles)]
  }
}
