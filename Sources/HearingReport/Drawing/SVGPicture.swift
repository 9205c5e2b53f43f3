public import Foundation

/// A self-contained picture in the SVG format.
///
///     let picture = AudiogramPicture(profile).svg
///     try picture.data.write(to: url)          // a file that any browser shows
///     ReportSection(title: "Hearing", blocks: [.picture(picture, caption: "Your hearing.")])
///
/// A picture has no external references. Text is stored as text and not as shapes. Therefore screen
/// readers can read the text. A picture uses the viewer's light or dark colour scheme. Equal inputs
/// produce equal pictures on every platform and in every locale.
///
/// A page shows the picture in one of two layouts. The wide layout is 800 CSS pixels wide. The
/// narrow layout is for phones. In the narrow layout, the panels of the ears are one below the
/// other. An SVG file contains only the wide layout.
///
/// Only this module can create an ``SVGPicture``. An app cannot create custom drawings.
public struct SVGPicture: Sendable, Equatable {
  /// The title of the picture.
  public let title: String
  /// A description of the content for screen readers.
  public let summary: String
  /// The width of the wide layout in CSS pixels. A viewer can show the picture at any width.
  public var width: Double { wide.width }
  /// The height of the wide layout in CSS pixels.
  public var height: Double { wide.height }

  /// The content of one layout.
  private struct Drawing: Sendable, Equatable {
    let width: Double
    let height: Double
    let elements: [MarkupElement]
  }

  private let wide: Drawing
  private let narrow: Drawing

  /// Creates a picture. The closure `draw` is called once for each layout. The closure draws
  /// everything below the title, and returns the height of the picture.
  init(title: String, summary: String, draw: (inout Canvas) -> Double) {
    self.title = title
    self.summary = summary
    func drawing(_ layout: PictureLayout) -> Drawing {
      var canvas = Canvas(layout)
      let line = TextExtent.fittingBold(
        title, into: layout.width - 2 * layout.margin, size: layout.titleSize)
      canvas.text(
        line, at: Point(x: layout.margin, y: 30), size: layout.titleSize, class: "hp-title")
      let height = draw(&canvas)
      return Drawing(width: layout.width, height: height, elements: canvas.elements)
    }
    (wide, narrow) = (drawing(.wide), drawing(.narrow))
  }

  /// The picture as an SVG document, for a file with the extension `.svg`.
  public var text: String { document(wide) }

  /// The SVG document in the layout for phones.
  var narrowText: String { document(narrow) }

  private func document(_ drawing: Drawing) -> String {
    let style = MarkupElement("style", text: PictureStyle.sheet)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + element(drawing, id: "picture", styles: [style]).written + "\n"
  }

  /// The SVG document in UTF-8.
  public var data: Data { Data(text.utf8) }

  /// The picture for a page, in both layouts and with a caption. The page must include
  /// ``PictureStyle/sheet``. The `id` must be unique in the page.
  func figure(id: String, caption: String) -> MarkupElement {
    MarkupElement(
      "figure", [:],
      [
        MarkupElement("div", ["class": "picture wide"], [element(wide, id: id)]),
        MarkupElement("div", ["class": "picture narrow"], [element(narrow, id: id + "-narrow")]),
        MarkupElement("figcaption", text: caption),
      ])
  }

  private func element(
    _ drawing: Drawing, id: String, styles: [MarkupElement] = []
  ) -> MarkupElement {
    let (width, height) = (drawing.width.coordinate(), drawing.height.coordinate())
    let paper = MarkupElement("rect", ["width": width, "height": height, "class": "hp-paper"])
    let heads = [
      MarkupElement("title", ["id": "\(id)-title"], text: title),
      MarkupElement("desc", ["id": "\(id)-desc"], text: summary),
    ]
    return MarkupElement(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": "0 0 \(width) \(height)", "width": width, "height": height,
        "class": "hearing-picture", "role": "img", "aria-labelledby": "\(id)-title",
        "aria-describedby": "\(id)-desc",
      ], heads + styles + [paper] + drawing.elements)
  }
}
