extension Double {
  /// The nearest value within `limits`.
  func limited(to limits: ClosedRange<Double>) -> Double {
    min(max(self, limits.lowerBound), limits.upperBound)
  }

  /// The value rounded to a millionth.
  ///
  /// Values that a rule computes are rounded before they enter a preset: the last bits of a
  /// logarithm or a power differ between C libraries, and a preset's identity must not.
  var roundedToMillionth: Double {
    let rounded = (self * 1e6).rounded() / 1e6
    return rounded == 0 ? 0 : rounded
  }

  /// The value as a person would write it: no exponent or fraction where none is needed, at most
  /// six significant decimals, whatever its size.
  var plain: String {
    guard isFinite else { return "\(self)" }
    if let whole = Int64(exactly: self), abs(whole) < 1_000_000_000 { return "\(whole)" }
    guard abs(self) < 1e9 else { return "\(self)" }
    let shortened = (self * 1e6).rounded() / 1e6
    return shortened == 0 ? "\(self)" : "\(shortened)"
  }
}
