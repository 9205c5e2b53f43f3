import Foundation

extension Double {
  /// The value as text for programs. The text has at most `places` decimals after a point, no
  /// trailing zeros and no exponent. The text is the same on every platform and in every locale.
  func coordinate(places: Int = 2) -> String {
    written(places: places, keepsZeros: false, minus: "-")
  }

  /// The value as text for readers. The text has at most `places` decimals after a point, no
  /// trailing zeros, and the Unicode minus sign.
  func readable(places: Int = 1) -> String {
    written(places: places, keepsZeros: false, minus: "−")
  }

  /// The value as text for a table column. The text is as in ``readable(places:)``, but it has
  /// exactly `places` decimals.
  func tabular(places: Int = 1) -> String {
    written(places: places, keepsZeros: true, minus: "−")
  }

  private func written(places: Int, keepsZeros: Bool, minus: String) -> String {
    precondition((0...6).contains(places), "\(places) decimal places")
    guard isFinite, abs(self) < 1e9 else { return "\(self)" }
    var unit: Int64 = 1
    for _ in 0..<places { unit *= 10 }
    let whole = Int64((abs(self) * Double(unit)).rounded())
    var text = "\(whole / unit)"
    if places > 0 {
      let digits = "\(whole % unit)"
      var decimals = String(repeating: "0", count: places - digits.count) + digits
      if !keepsZeros { while decimals.last == "0" { decimals.removeLast() } }
      if !decimals.isEmpty { text += "." + decimals }
    }
    return self < 0 && whole > 0 ? minus + text : text
  }
}

extension Date {
  /// The UTC date in ISO 8601 format, such as "2025-03-14". The text is the same in every locale.
  var isoDay: String {
    formatted(.iso8601.year().month().day())
  }

  /// The UTC date in English, such as "14 March 2025".
  var englishDay: String {
    let parts = isoDay.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, Self.months.indices.contains(parts[1] - 1) else { return isoDay }
    return "\(parts[2]) \(Self.months[parts[1] - 1]) \(parts[0])"
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
