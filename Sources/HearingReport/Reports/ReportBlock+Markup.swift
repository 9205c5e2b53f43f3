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
      // Reachable by keyboard, since it scrolls sideways where the page is narrow.
      let window = MarkupElement(
        "div", ["class": "picture", "tabindex": "0", "role": "group", "aria-label": picture.title],
        [picture.embedded(id: id)])
      return MarkupElement(
        "figure", [:], [window, MarkupElement("figcaption", text: caption)])
    case .table(let table):
      return table.markup
    }
  }
}
