/// Collects the elements of a picture, from the back to the front.
struct Canvas: Sendable {
  private(set) var elements: [MarkupElement] = []

  /// Which end of a text its place is.
  enum Anchor: String, Sendable {
    case start
    case middle
    case end
  }

  mutating func add(_ element: MarkupElement) {
    elements.append(element)
  }

  mutating func rectangle(_ frame: Frame, class style: String) {
    add(
      MarkupElement(
        "rect",
        [
          "x": frame.left.coordinate(), "y": frame.top.coordinate(),
          "width": frame.width.coordinate(), "height": frame.height.coordinate(),
          "class": style,
        ]))
  }

  mutating func line(from start: Place, to end: Place, class style: String) {
    add(
      MarkupElement(
        "line",
        [
          "x1": start.x.coordinate(), "y1": start.y.coordinate(), "x2": end.x.coordinate(),
          "y2": end.y.coordinate(), "class": style,
        ]))
  }

  /// A line through all the places; none for fewer than two.
  mutating func polyline(_ places: [Place], class style: String) {
    guard places.count > 1 else { return }
    let points = places.map { "\($0.x.coordinate()),\($0.y.coordinate())" }
    add(
      MarkupElement("polyline", ["points": points.joined(separator: " "), "class": style]))
  }

  /// A line of text whose baseline passes through `place`.
  mutating func text(
    _ text: String, at place: Place, size: Double = PictureStyle.textSize,
    anchor: Anchor = .start, class style: String = "hp-text", isRotated: Bool = false
  ) {
    let (x, y) = (place.x.coordinate(), place.y.coordinate())
    var element = MarkupElement(
      "text",
      [
        "x": x, "y": y, "font-size": size.coordinate(), "text-anchor": anchor.rawValue,
        "class": style,
      ], text: text)
    if isRotated {
      element.attributes.append(.init(name: "transform", value: "rotate(-90 \(x) \(y))"))
    }
    add(element)
  }

  /// Symbols drawn as one around `place`, with a title that a viewer shows on pointing at them.
  mutating func symbols(
    _ symbols: [MarkupElement], at place: Place, class style: String, title: String? = nil
  ) {
    let title = title.map { [MarkupElement("title", text: $0)] } ?? []
    add(
      MarkupElement(
        "g",
        [
          "class": style,
          "transform": "translate(\(place.x.coordinate()) \(place.y.coordinate()))",
        ], title + symbols))
  }
}
