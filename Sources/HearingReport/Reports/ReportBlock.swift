/// A piece of a section: a paragraph, a list, a table, a picture.
///
///     ReportSection(title: "Measured", blocks: [
///       .paragraph("What the processor did to a recording."),
///       .picture(svg, caption: "Before and after."),
///       .table(table),
///     ])
///
/// An open set: more kinds may join. Texts may hold anything; they are escaped when the page is
/// written.
public struct ReportBlock: Sendable, Equatable {
  enum Content: Sendable, Equatable {
    case paragraph(String)
    case advice([String])
    case list([String])
    case terms([Term])
    case picture(SVGPicture, caption: String)
    case table(ReportTable)
  }

  struct Term: Sendable, Equatable {
    let name: String
    let meaning: String
  }

  let content: Content

  /// A paragraph of text.
  public static func paragraph(_ text: String) -> ReportBlock {
    ReportBlock(content: .paragraph(text))
  }

  /// Paragraphs that stand out: what the reader should act on.
  public static func advice(_ texts: String...) -> ReportBlock {
    ReportBlock(content: .advice(texts))
  }

  /// Paragraphs that stand out: what the reader should act on.
  public static func advice(_ texts: [String]) -> ReportBlock {
    ReportBlock(content: .advice(texts))
  }

  /// A list of points in no order.
  public static func list(_ points: [String]) -> ReportBlock {
    ReportBlock(content: .list(points))
  }

  /// Words and what they mean, or names and their values.
  public static func terms(_ terms: KeyValuePairs<String, String>) -> ReportBlock {
    ReportBlock(content: .terms(terms.map { Term(name: $0.key, meaning: $0.value) }))
  }

  /// A picture with a sentence or two below it.
  public static func picture(_ picture: SVGPicture, caption: String) -> ReportBlock {
    ReportBlock(content: .picture(picture, caption: caption))
  }

  /// A table.
  public static func table(_ table: ReportTable) -> ReportBlock {
    ReportBlock(content: .table(table))
  }

  static func terms(_ terms: [Term]) -> ReportBlock {
    ReportBlock(content: .terms(terms))
  }
}
