/// The small symbols around a point of a picture, centred at the origin.
extension MarkupElement {
  static let circle = MarkupElement("circle", ["r": "8", "class": "hp-symbol"])
  static let cross = MarkupElement("path", ["d": "M-6 -6L6 6M6 -6L-6 6", "class": "hp-symbol"])
  static let triangle = MarkupElement(
    "path", ["d": "M0 -9.5L8.5 6L-8.5 6Z", "class": "hp-symbol"])
  static let square = MarkupElement("path", ["d": "M-7 -7H7V7H-7Z", "class": "hp-symbol"])
  static let dot = MarkupElement("circle", ["r": "3.2", "class": "hp-dot"])
  static let ring = MarkupElement("circle", ["r": "4.5", "class": "hp-mark"])
  static let box = MarkupElement("path", ["d": "M-6 -6H6V6H-6Z", "class": "hp-mark"])
  static let smallCross = MarkupElement(
    "path", ["d": "M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5", "class": "hp-mark"])
}
