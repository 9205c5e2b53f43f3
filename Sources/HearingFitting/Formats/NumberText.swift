/// Numbers as files and people write them.
enum NumberText {
  /// Reads "35", "-2.5", "1e3" or "−5" (with a true minus sign) with spaces around it; where
  /// `decimalComma` holds, "22,5" too.
  ///
  /// - Returns: A finite number; nil for anything else, and so for "NaN", "inf" and "0x10", which
  ///   the standard library reads.
  static func value(of text: some StringProtocol, decimalComma: Bool = false) -> Double? {
    guard text.utf8.count <= 64 else { return nil }
    var digits = ""
    for character in text.drop(while: \.isWhitespace) {
      switch character {
      case "0"..."9", "+", "-", ".", "e", "E": digits.append(character)
      case "\u{2212}": digits.append("-")
      case "," where decimalComma: digits.append(".")
      case _ where character.isWhitespace: digits.append(" ")
      default: return nil
      }
    }
    while digits.last == " " { digits.removeLast() }
    guard let value = Double(digits), value.isFinite else { return nil }
    return value
  }
}
