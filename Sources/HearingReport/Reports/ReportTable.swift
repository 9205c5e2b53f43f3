/// A table of a report: a caption, columns with headings, and rows with one.
///
///     ReportTable(
///       caption: "Gain in dB", corner: "Frequency",
///       columns: [.init("50 dB SPL"), .init("65 dB SPL")],
///       rows: [.init("1000 Hz", ["18.2", "12.4"])])
///
/// Texts may hold anything; they are escaped when the page is written.
public struct ReportTable: Sendable, Equatable {
  /// A column and its heading.
  public struct Column: Sendable, Equatable {
    /// The heading.
    public var title: String
    /// A heading above those of neighbouring columns of the same group; nil: none.
    public var group: String?

    /// A column with a heading.
    public init(_ title: String, group: String? = nil) {
      self.title = title
      self.group = group
    }
  }

  /// A row and its heading.
  public struct Row: Sendable, Equatable {
    /// The heading.
    public var title: String
    /// A text for each column.
    public var cells: [String]

    /// A row with a heading and a text for each column.
    public init(_ title: String, _ cells: [String]) {
      self.title = title
      self.cells = cells
    }
  }

  /// What the table shows, in a line or two.
  public let caption: String
  /// The heading of the rows' headings.
  public let corner: String
  /// The columns; at least one.
  public let columns: [Column]
  /// The rows, each with as many cells as there are columns.
  public let rows: [Row]

  /// A table; every row has as many cells as there are columns.
  public init(caption: String, corner: String, columns: [Column], rows: [Row]) {
    precondition(!columns.isEmpty, "a table without columns: \(caption)")
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
