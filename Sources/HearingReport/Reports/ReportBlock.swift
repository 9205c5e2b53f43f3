/// A block of a section: a paragraph, a list, a table or a picture.
///
///     ReportSection(title: "Measured", blocks: [
///       .paragraph("What the processor did to a recording."),
///       .picture(svg, caption: "Before and after."),
///       .table(table),
///     ])
///
/// An open set: later versions may add kinds. Texts may be untrusted; they are escaped.
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

  /// Highlighted paragraphs: advice to the reader.
  public static func advice(_ texts: String...) -> ReportBlock {
    ReportBlock(content: .advice(texts))
  }

  /// Highlighted paragraphs: advice to the reader.
  public static func advice(_ texts: [String]) -> ReportBlock {
    ReportBlock(content: .advice(texts))
  }

  /// An unordered list.
  public static func list(_ points: [String]) -> ReportBlock {
    ReportBlock(content: .list(points))
  }

  /// Terms with their definitions, or names with their values.
  public static func terms(_ terms: KeyValuePairs<String, String>) -> ReportBlock {
    ReportBlock(content: .terms(terms.map { Term(name: $0.key, meaning: $0.value) }))
  }

  /// A picture with a caption of one or two sentences.
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

extension ReportBlock {
  /// The block as HTML; `id` is unique in the page.
  func markup(id: String) -> MarkupElement {
    switch content {
    case .paragraph(let text):
      return MarkupElement("p", text: text)
    case .advice(let texts):
      return MarkupElement(
        "div", ["class": "advice", "role": "note"],
        texts.map { MarkupElement("p", text: $0) })
    case .list(let points):
      return MarkupElement("ul", [:], points.map { MarkupElement("li", text: $0) })
    case .terms(let terms):
      let pairs = terms.map { term in
        MarkupElement(
          "div", [:],
          [MarkupElement("dt", text: term.name), MarkupElement("dd", text: term.meaning)])
      }
      return MarkupElement("dl", [:], pairs)
    case .picture(let picture, let caption):
      let (wide, narrow) = picture.embedded(id: id)
      return MarkupElement(
        "figure", [:],
        [
          MarkupElement("div", ["class": "picture wide"], [wide]),
          MarkupElement("div", ["class": "picture narrow"], [narrow]),
          MarkupElement("figcaption", text: caption),
        ])
    case .table(let table):
      return table.markup
    }
  }
}
