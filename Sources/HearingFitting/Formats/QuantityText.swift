import Foundation

/// Parses numbers and units in the forms that occur in files.
enum QuantityText {
  /// Parses a number such as "35", "-2.5", "1e3" or "−5". The sign may be a hyphen, a Unicode minus
  /// sign or an en dash. Spaces around the number are allowed. If `decimalComma` is true, a decimal
  /// comma is also allowed, as in "22,5".
  ///
  /// - Returns: A finite number, or nil for any other text. The standard library accepts "NaN",
  ///   "inf" and "0x10", but this function returns nil.
  static func value(of text: some StringProtocol, decimalComma: Bool = false) -> Double? {
    guard text.utf8.count <= 64 else { return nil }
    var number = text.trimmingCharacters(in: .whitespacesAndNewlines)
      .replacing("\u{2212}", with: "-").replacing("\u{2013}", with: "-")
    if decimalComma { number = number.replacing(",", with: ".") }
    guard number.allSatisfy({ "0123456789+-.eE".contains($0) }), let value = Double(number),
      value.isFinite
    else { return nil }
    return value
  }

  /// Splits text such as "250 Hz" or "45 dB HL" into the number and the unit.
  static func parts<Text: StringProtocol>(of text: Text) -> (Text.SubSequence, unit: String) {
    let count = text.reversed().prefix { $0.isLetter || $0.isWhitespace }.count
    return (text.dropLast(count), String(text.suffix(count)))
  }

  /// Parses a frequency such as "250", "250 Hz" or "4k". Returns the frequency in Hz, or nil for
  /// any other text.
  ///
  /// - Parameter usualFactor: The factor that converts a number without a unit to Hz.
  static func frequency(
    in text: some StringProtocol, usualFactor: Double, decimalComma: Bool
  ) -> Double? {
    let (number, unit) = parts(of: text)
    guard let value = value(of: number, decimalComma: decimalComma),
      let factor = unit.isEmpty ? usualFactor : hertz(in: unit)
    else { return nil }
    return value * factor
  }

  /// The factor that converts a unit to Hz: 1 for "Hz" and 1000 for "kHz". The function ignores
  /// punctuation, and treats upper and lower case as equal. A missing unit counts as Hz. For any
  /// other unit, the result is nil.
  static func hertz(in unit: String?) -> Double? {
    switch letters(of: unit) {
    case "", "hz", "hertz": 1
    case "k", "khz", "kilohertz": 1000
    default: nil
    }
  }

  /// Whether a unit is dB HL, such as "dBHL", "dB HL", "dB[HL]" or "dB". A missing unit counts as
  /// dB HL. The unit dB SPL does not count as dB HL.
  static func isHearingLevel(_ unit: String?) -> Bool {
    ["", "db", "dbhl", "decibel", "decibels", "decibelhearinglevel"].contains(letters(of: unit))
  }

  private static func letters(of unit: String?) -> String {
    guard let unit, unit.utf8.count <= 64 else { return unit == nil ? "" : "?" }
    let letters = unit.lowercased().filter { $0.isLetter || $0.isNumber }
    return letters.isEmpty && !unit.allSatisfy(\.isWhitespace) ? "?" : letters
  }
}
