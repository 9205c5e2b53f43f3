/// Collects the elements of a picture. Later elements are drawn over earlier elements.
struct Canvas: Sendable {
  /// The sizes and the arrangement of the parts of the picture.
  let layout: PictureLayout
  private(set) var elements: [MarkupElement] = []

  init(_ layout: PictureLayout) { self.layout = layout }

  /// The alignment of a text: the start, the middle or the end of the text is at the given point.
  enum Anchor: String, Sendable { case start, middle, end }

  mutating func add(_ element: MarkupElement) { elements.append(element) }

  mutating func rectangle(_ frame: Frame, class style: String) {
    let (x, y) = Point(x: frame.left, y: frame.top).coordinates
    let (width, height) = (frame.width.coordinate(), frame.height.coordinate())
    add(MarkupElement("rect", ["x": x, "y": y, "width": width, "height": height, "class": style]))
  }

  mutating func line(from start: Point, to end: Point, class style: String) {
    let (x1, y1) = start.coordinates
    let (x2, y2) = end.coordinates
    add(MarkupElement("line", ["x1": x1, "y1": y1, "x2": x2, "y2": y2, "class": style]))
  }

  /// Draws a line through all points, or nothing if there are fewer than two points.
  mutating func polyline(_ points: [Point], class style: String) {
    guard points.count > 1 else { return }
    let coordinates = points.map(\.coordinates).map { "\($0.x),\($0.y)" }.joined(separator: " ")
    add(MarkupElement("polyline", ["points": coordinates, "class": style]))
  }

  /// Draws a line of text. The baseline of the text is at `point`.
  mutating func text(
    _ text: String, at point: Point, size: Double = PictureStyle.textSize,
    anchor: Anchor = .start, class style: String = "hp-text", isRotated: Bool = false
  ) {
    let (x, y) = point.coordinates
    let attributes: MarkupElement.Attributes = [
      "x": x, "y": y, "font-size": size.coordinate(), "text-anchor": anchor.rawValue,
      "class": style, "transform": isRotated ? "rotate(-90 \(x) \(y))" : nil,
    ]
    add(MarkupElement("text", attributes, text: text))
  }

  /// Draws symbols around `point`, as one group. A viewer shows `title` as a tooltip of the group.
  mutating func symbols(
    _ symbols: [MarkupElement], at point: Point, class style: String, title: String? = nil
  ) {
    let title = title.map { [MarkupElement("title", text: $0)] } ?? []
    let (x, y) = point.coordinates
    add(
      MarkupElement("g", ["class": style, "transform": "translate(\(x) \(y))"], title + symbols))
  }
}

extension Canvas {
  /// Draws the title of a panel above `frame`, at a distance of `gap` SVG units.
  mutating func heading(_ title: String, above frame: Frame, gap: Double = 10) {
    text(
      title, at: Point(x: frame.left, y: frame.top - gap), size: PictureStyle.headingSize,
      class: "hp-title")
  }

  /// Draws the legend, in which each group of entries starts a new row. Returns the height of the
  /// whole picture.
  mutating func finish(
    with groups: [[Legend.Entry]], below top: Double, left: Double? = nil
  ) -> Double {
    let legend = Legend(groups, width: layout.legendWidth)
    legend.draw(on: &self, at: Point(x: left ?? layout.legendLeft, y: top))
    return top + legend.height + 12
  }

  /// Draws the rotated title of a vertical axis to the left of `frame`.
  mutating func verticalTitle(_ title: String, beside frame: Frame) {
    text(
      title, at: Point(x: frame.left - layout.verticalTitleGap, y: frame.center.y),
      anchor: .middle, isRotated: true)
  }

  /// Draws the title of a horizontal axis below the numbers of the axis.
  mutating func horizontalTitle(_ title: String, below frame: Frame) {
    text(
      title, at: Point(x: frame.center.x, y: frame.bottom + PlotPanel.numberHeight + 20),
      anchor: .middle)
  }
}

/// A point of a picture in SVG units. `x` increases to the right, and `y` increases downwards.
struct Point: Sendable, Equatable {
  var x: Double
  var y: Double

  /// The coordinates as the values of SVG attributes.
  var coordinates: (x: String, y: String) { (x.coordinate(), y.coordinate()) }
}

/// A rectangle in a picture. The sides of the rectangle are parallel to the axes.
struct Frame: Sendable, Equatable {
  var left: Double
  var top: Double
  var width: Double
  var height: Double

  var right: Double { left + width }
  var bottom: Double { top + height }
  var center: Point { Point(x: left + width / 2, y: top + height / 2) }
}

/// Estimates the maximum width of a text. The application that shows the picture chooses the font.
/// Therefore the exact width is unknown.
enum TextExtent {
  /// The assumed width of a character, as a fraction of the font size. Almost every text in a
  /// sans-serif font is narrower than the estimated width.
  private static let characterWidth = 0.6
  /// The assumed width of a bold character, as a fraction of the font size.
  private static let boldCharacterWidth = 0.72

  /// The estimated width of a line of text.
  static func width(of text: String, size: Double = PictureStyle.textSize) -> Double {
    Double(text.count) * size * characterWidth
  }

  /// Splits a text into lines that are at most `width` wide.
  static func lines(of text: String, width: Double, size: Double) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, Self.width(of: last + " " + word, size: size) <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Shortens a text that does not fit into `width` in bold type. A shortened text ends with an
  /// ellipsis.
  static func fittingBold(_ text: String, into width: Double, size: Double) -> String {
    let characters = Int(width / (size * boldCharacterWidth))
    guard text.count > characters else { return text }
    return String(text.prefix(max(0, characters - 1))) + "…"
  }
}
