extension Double {
  /// The value for a machine to read: a point for the decimals, at most `places` of them, no
  /// trailing zeros, no exponent; the same on every platform and in every locale.
  func coordinate(places: Int = 2) -> String {
    written(places: places, keepsZeros: false, minus: "-")
  }

  /// The value for a person to read: a point for the decimals, at most `places` of them, no
  /// trailing zeros, and the typographer's minus.
  func readable(places: Int = 1) -> String {
    written(places: places, keepsZeros: false, minus: "−")
  }

  /// The value for a column of a table: as ``readable(places:)``, with exactly `places` decimals.
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
