public import Foundation

/// A picture in Scalable Vector Graphics, complete in itself.
///
///     let picture = AudiogramPicture(profile).svg
///     try picture.data.write(to: url)          // a file that any browser shows
///     ReportSection(title: "Hearing", blocks: [.picture(picture, caption: "Your hearing.")])
///
/// It refers to nothing outside itself, its text is text, it names itself to a screen reader, and
/// it follows the viewer's light or dark colour scheme. Equal inputs make equal pictures, on every
/// platform and in every locale.
///
/// This type is not for drawings of one's own: it is what the pictures of this module are made
/// into.
public struct SVGPicture: Sendable, Equatable {
  /// What the picture is called.
  public let title: String
  /// What the picture shows, in words, for those who cannot see it.
  public let summary: String
  /// The width in CSS pixels that the picture is drawn for; it may be shown at any.
  public let width: Double
  /// The height in CSS pixels that goes with ``width``.
  public let height: Double

  let elements: [MarkupElement]

  init(title: String, summary: String, height: Double, elements: [MarkupElement]) {
    self.title = title
    self.summary = summary
    self.width = PictureStyle.width
    self.height = height
    self.elements = elements
  }

  /// The picture as a document of its own, for a file that ends in `.svg`.
  public var text: String {
    let style = MarkupElement("style", text: PictureStyle.sheet)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + element(id: "picture", style: style)
      .written + "\n"
  }

  /// The document in UTF-8.
  public var data: Data { Data(text.utf8) }

  /// The picture within a page that carries ``PictureStyle/sheet``; `id` is unique in the page.
  func embedded(id: String) -> MarkupElement {
    element(id: id, style: nil)
  }

  private func element(id: String, style: MarkupElement?) -> MarkupElement {
    let paper = MarkupElement(
      "rect",
      ["width": width.coordinate(), "height": height.coordinate(), "class": "hp-paper"])
    let heads = [
      MarkupElement("title", ["id": "\(id)-title"], text: title),
      MarkupElement("desc", ["id": "\(id)-desc"], text: summary),
    ]
    return MarkupElement(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": "0 0 \(width.coordinate()) \(height.coordinate())",
        "width": width.coordinate(), "height": height.coordinate(), "class": "hearing-picture",
        "role": "img", "aria-labelledby": "\(id)-title", "aria-describedby": "\(id)-desc",
      ], heads + (style.map { [$0] } ?? []) + [paper] + elements)
  }
}
