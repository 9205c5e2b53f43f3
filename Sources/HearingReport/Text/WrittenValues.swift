import Foundation

extension Double {
  /// The value as text for SVG attributes and other markup. The text has at most `places` decimals
  /// after a point, no trailing zeros and no exponent. The text is the same on every platform and
  /// in every locale.
  func coordinate(places: Int = 2) -> String {
    written(places: places, keepsZeros: false, minus: "-")
  }

  /// The value as text for readers. The text has at most `places` decimals after a point, no
  /// trailing zeros, and the Unicode minus sign.
  func readable(places: Int = 1) -> String {
    written(places: places, keepsZeros: false, minus: "−")
  }

  /// The value as text for a table column. The text has exactly `places` decimals after a point,
  /// and the Unicode minus sign.
  func tabular(places: Int = 1) -> String {
    written(places: places, keepsZeros: true, minus: "−")
  }

  private func written(places: Int, keepsZeros: Bool, minus: String) -> String {
    precondition((0...6).contains(places), "\(places) decimal places")
    guard isFinite, abs(self) < 1e9 else { return "\(self)" }
    let unit = pow(10, Double(places))
    let value = (abs(self) * unit).rounded() / unit
    var text = String(format: "%.\(places)f", value)
    if !keepsZeros, places > 0 {
      while text.last == "0" { text.removeLast() }
      if text.last == "." { text.removeLast() }
    }
    return self < 0 && value > 0 ? minus + text : text
  }
}

extension Date {
  /// The UTC date in English, such as "14 March 2025".
  var englishDay: String {
    formatted(
      Date.VerbatimFormatStyle(
        format: "\(day: .defaultDigits) \(month: .wide) \(year: .defaultDigits)",
        locale: Locale(identifier: "en"), timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)))
  }
}
