/// A section of a report, with a heading.
///
///     report.sections.append(
///       ReportSection(title: "Measured on your recording", blocks: [.table(table)]))
public struct ReportSection: Sendable, Equatable {
  /// The heading of the section.
  public var title: String
  /// The blocks of the section, from top to bottom.
  public var blocks: [ReportBlock]
  /// Whether the next section begins on a new sheet of paper when the report is printed.
  public var endsSheet = false

  /// Creates a section with the given blocks.
  public init(title: String, blocks: [ReportBlock]) {
    self.title = title
    self.blocks = blocks
  }

  /// Returns the section as HTML. The `id` must be unique in the page.
  func markup(id: String) -> MarkupElement {
    let heading = MarkupElement("h2", ["id": "\(id)-heading"], text: title)
    let content = blocks.enumerated().map { $0.element.markup(id: "\(id)-\($0.offset + 1)") }
    return MarkupElement(
      "section",
      [
        "id": id, "aria-labelledby": "\(id)-heading", "class": endsSheet ? "own-page" : nil,
      ], [heading] + content)
  }
}
