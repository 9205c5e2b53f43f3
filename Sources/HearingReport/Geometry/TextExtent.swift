/// How much room text takes, estimated from above: which font a viewer has is not known.
enum TextExtent {
  /// The width of a character, in sizes of the font, that hardly any sans-serif text exceeds on
  /// average.
  private static let characterWidth = 0.6
  /// The same for bold text.
  private static let boldCharacterWidth = 0.72

  /// The width of a line of text.
  static func width(of text: String, size: Double) -> Double {
    Double(text.count) * size * characterWidth
  }

  /// A bold text cut off with an ellipsis where it would be wider than `width`.
  static func fittingBold(_ text: String, into width: Double, size: Double) -> String {
    let characters = Int(width / (size * boldCharacterWidth))
    guard text.count > characters else { return text }
    let count = characters - 1
    return String(text.prefix(max(0, count))) + "…"
  }
}
