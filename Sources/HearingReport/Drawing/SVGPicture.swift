public import Foundation

/// A self-contained picture in Scalable Vector Graphics.
///
///     let picture = AudiogramPicture(profile).svg
///     try picture.data.write(to: url)          // a file that any browser shows
///     ReportSection(title: "Hearing", blocks: [.picture(picture, caption: "Your hearing.")])
///
/// It has no external references, contains its text as text, is accessible to screen readers, and
/// follows the viewer's light or dark colour scheme. Equal inputs give equal pictures, on every
/// platform and in every locale.
///
/// Only this module creates pictures; the type is not for custom drawings.
public struct SVGPicture: Sendable, Equatable {
  /// The title of the picture.
  public let title: String
  /// A description of the content for screen readers.
  public let summary: String
  /// The intrinsic width in CSS pixels; the picture scales to any width.
  public let width: Double
  /// The intrinsic height in CSS pixels.
  public let height: Double

  let elements: [MarkupElement]

  init(title: String, summary: String, height: Double, elements: [MarkupElement]) {
    self.title = title
    self.summary = summary
    self.width = PictureStyle.width
    self.height = height
    self.elements = elements
  }

  /// The picture as an SVG document, for a file that ends in `.svg`.
  public var text: String {
    let style = MarkupElement("style", text: PictureStyle.sheet)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + element(id: "picture", style: style)
      .written + "\n"
  }

  /// The document in UTF-8.
  public var data: Data { Data(text.utf8) }

  /// The picture for a page that includes ``PictureStyle/sheet``; `id` is unique in the page.
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
