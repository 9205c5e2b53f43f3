/// Names of units as files write them, in any case and with any punctuation: "dBHL", "dB HL",
/// "dB[HL]", "dB", "Hz", "kHz".
enum UnitName {
  /// How many Hz a unit is; a unit that is not said is Hz. Nil for any other.
  static func hertz(in unit: String?) -> Double? {
    switch letters(of: unit) {
    case "", "hz", "hertz": 1
    case "khz", "kilohertz": 1000
    default: nil
    }
  }

  /// Whether a unit is dB HL; a unit that is not said, and a plain dB, is. dB SPL is not.
  static func isHearingLevel(_ unit: String?) -> Bool {
    ["", "db", "dbhl", "decibel", "decibels", "decibelhearinglevel"].contains(letters(of: unit))
  }

  private static func letters(of unit: String?) -> String {
    guard let unit, unit.utf8.count <= 64 else { return unit == nil ? "" : "?" }
    let letters = unit.lowercased().filter { $0.isLetter || $0.isNumber }
    return letters.isEmpty && !unit.allSatisfy(\.isWhitespace) ? "?" : letters
  }
}
