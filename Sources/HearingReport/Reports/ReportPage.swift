public import Foundation

/// A page of sections with texts, tables and pictures.
///
///     let page = ReportPage(
///       title: "A call", introduction: "Three minutes.",
///       sections: [
///         ReportSection(title: "Sound", blocks: [.picture(picture, caption: "The sound.")])
///       ])
///     try page.data.write(to: url)             // a file whose name ends in .html
///
/// The page is a self-contained HTML document in English. A page without a
/// ``ReportBlock/comparison(_:_:)`` has no scripts and no external resources. A comparison adds a
/// script, and refers to two sound files. The page uses the reader's light or dark colour scheme,
/// fits on a phone, can be printed, and works with a screen reader. Equal inputs produce equal
/// pages. All texts are escaped. Therefore texts from an untrusted source are safe.
///
/// For a page that explains a fitting to the listener, use
/// ``fitting(profile:preset:estimatedEars:title:notes:)``. For a page for an audiologist, use
/// ``clinical(profile:preset:date:device:estimatedEars:notes:)``.
public struct ReportPage: Sendable, Equatable {
  /// The title of the page.
  public var title: String
  /// A sentence below the title.
  public var introduction: String
  /// The sections, in order.
  public var sections: [ReportSection]
  /// A sentence at the end of the page. If the sentence is empty, the page has no footer.
  public var footer: String

  /// Creates a page with a title, an introduction, sections and a footer.
  public init(
    title: String, introduction: String, sections: [ReportSection], footer: String = ""
  ) {
    self.title = title
    self.introduction = introduction
    self.sections = sections
    self.footer = footer
  }

  /// The page as HTML.
  public var html: String {
    let head = MarkupElement(
      "head", [:],
      [
        MarkupElement("meta", ["charset": "utf-8"]),
        MarkupElement("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
        MarkupElement(
          "meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        MarkupElement("title", text: title),
        MarkupElement("style", text: PageStyle.sheet + "\n" + PictureStyle.sheet),
      ])
    let header = MarkupElement(
      "header", [:],
      [MarkupElement("h1", text: title), MarkupElement("p", text: introduction)])
    let main = MarkupElement(
      "main", [:],
      sections.enumerated().map { $0.element.markup(id: "section-\($0.offset + 1)") })
    var body = [header, main]
    if !footer.isEmpty {
      body.append(MarkupElement("footer", [:], [MarkupElement("p", text: footer)]))
    }
    if hasComparison {
      body.append(MarkupElement("script", text: ReportBlock.comparisonScript))
    }
    let page = MarkupElement(
      "html", ["lang": "en", "xmlns": "http://www.w3.org/1999/xhtml"],
      [head, MarkupElement("body", [:], body)])
    return "<!DOCTYPE html>\n" + page.written + "\n"
  }

  private var hasComparison: Bool {
    sections.contains { $0.blocks.contains(where: \.isComparison) }
  }

  /// The content security policy. Without a comparison, the browser loads no files and runs no
  /// scripts. With a comparison, the browser may load audio files. The browser may also run the
  /// script of the comparison, but no other script.
  private var policy: String {
    "default-src 'none'; style-src 'unsafe-inline'"
      + (hasComparison
        ? "; media-src 'self' file:; script-src '\(ReportBlock.comparisonScriptHash)'" : "")
  }

  /// The HTML page in UTF-8.
  public var data: Data { Data(html.utf8) }
}
