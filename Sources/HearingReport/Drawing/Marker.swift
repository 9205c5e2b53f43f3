/// A small symbol around a point of a picture.
enum Marker: Sendable, Hashable {
  case circle
  case cross
  case triangle
  case square
  case dot
  case ring
  case box
  case smallCross

  /// The symbol as an SVG element, centred at the origin.
  var element: MarkupElement {
    switch self {
    case .circle: MarkupElement("circle", ["r": "8", "class": "hp-symbol"])
    case .cross: MarkupElement("path", ["d": "M-6 -6L6 6M6 -6L-6 6", "class": "hp-symbol"])
    case .triangle:
      MarkupElement("path", ["d": "M0 -9.5L8.5 6L-8.5 6Z", "class": "hp-symbol"])
    case .square: MarkupElement("path", ["d": "M-7 -7H7V7H-7Z", "class": "hp-symbol"])
    case .dot: MarkupElement("circle", ["r": "3.2", "class": "hp-dot"])
    case .ring: MarkupElement("circle", ["r": "4.5", "class": "hp-mark"])
    case .smallCross:
      MarkupElement("path", ["d": "M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5", "class": "hp-mark"])
    case .box: MarkupElement("path", ["d": "M-6 -6H6V6H-6Z", "class": "hp-mark"])
    }
  }
}
