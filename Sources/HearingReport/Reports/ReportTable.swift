/// A table of a report: a caption, and columns and rows with headings.
///
///     ReportTable(
///       caption: "Gain in dB", corner: "Frequency",
///       columns: [.init("50 dB SPL"), .init("65 dB SPL")],
///       rows: [.init("1000 Hz", ["18.2", "12.4"])])
///
/// Texts may come from an untrusted source. All texts are escaped.
public struct ReportTable: Sendable, Equatable {
  /// A column and its heading.
  public struct Column: Sendable, Equatable {
    /// The heading.
    public var title: String
    /// The common heading of neighbouring columns that have the same `group`, or nil.
    public var group: String?

    /// Creates a column with a heading.
    public init(_ title: String, group: String? = nil) {
      self.title = title
      self.group = group
    }
  }

  /// A row and its heading.
  public struct Row: Sendable, Equatable {
    /// The heading.
    public var title: String
    /// One text for each column.
    public var cells: [String]

    /// Creates a row with a heading and a text for each column.
    public init(_ title: String, _ cells: [String]) {
      self.title = title
      self.cells = cells
    }
  }

  /// A description of the table, in one or two lines.
  public let caption: String
  /// The heading of the first column, which contains the rows' headings.
  public let corner: String
  /// The columns. There is at least one column.
  public let columns: [Column]
  /// The rows, each with one cell for each column.
  public let rows: [Row]

  /// Creates a table. Every row must have one cell for each column.
  public init(caption: String, corner: String, columns: [Column], rows: [Row]) {
    precondition(!columns.isEmpty, "the table has no columns: \(caption)")
    for row in rows {
      precondition(
        row.cells.count == columns.count,
        "row \(row.title) has \(row.cells.count) cells for \(columns.count) columns")
    }
    self.caption = caption
    self.corner = corner
    self.columns = columns
    self.rows = rows
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

  /// The groups of neighbouring columns, and the number of columns in each group. Empty if no
  /// column has a group.
  private var groups: [(title: String?, width: Int)] {
    guard columns.contains(where: { $0.group != nil }) else { return [] }
    var groups: [(title: String?, width: Int)] = []
    for column in columns {
      if let last = groups.last, last.title == column.group {
        groups[groups.count - 1].width += 1
      } else {
        groups.append((column.group, 1))
      }
    }
    return groups
  }

  /// The groups as HTML elements. The first element is the column of the row headings. Headings
  /// with the scope `colgroup` need these elements.
  private var columnGroups: [MarkupElement] {
    groups.isEmpty
      ? []
      : [MarkupElement("colgroup", ["span": "1"])]
        + groups.map { MarkupElement("colgroup", ["span": "\($0.width)"]) }
  }

  private var head: [MarkupElement] {
    let titles = columns.map { MarkupElement("th", ["scope": "col"], text: $0.title) }
    let corner = MarkupElement("th", ["scope": "col"], text: corner)
    let groups = groups
    guard !groups.isEmpty else { return [MarkupElement("tr", [:], [corner] + titles)] }
    let first = groups.map { group in
      guard let title = group.title else {
        return MarkupElement("td", ["colspan": "\(group.width)"])
      }
      return MarkupElement("th", ["scope": "colgroup", "colspan": "\(group.width)"], text: title)
    }
    var tall = corner
    tall.attributes.append(.init(name: "rowspan", value: "2"))
    return [MarkupElement("tr", [:], [tall] + first), MarkupElement("tr", [:], titles)]
  }
}
