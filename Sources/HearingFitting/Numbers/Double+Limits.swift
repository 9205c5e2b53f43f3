extension Double {
  /// The nearest value within `limits`.
  func limited(to limits: ClosedRange<Double>) -> Double {
    min(max(self, limits.lowerBound), limits.upperBound)
  }

  /// The value rounded to a millionth.
  ///
  /// Presets store rounded values. A preset must have the same id on every platform. The C
  /// libraries of different platforms compute different last bits of logarithms and powers. Without
  /// rounding, the ids would therefore differ.
  var roundedToMillionth: Double {
    let rounded = (self * 1e6).rounded() / 1e6
    return rounded == 0 ? 0 : rounded
  }

  /// The value rounded to a tenth, for messages.
  var roundedToTenth: Double { (self * 10).rounded() / 10 }

  /// The value as text for messages. Whole numbers have no decimals, and other numbers have at most
  /// six decimals. Very large and very small numbers may have an exponent.
  var plain: String {
    guard abs(self) < 1e9 else { return "\(self)" }
    if let whole = Int64(exactly: self) { return "\(whole)" }
    let shortened = (self * 1e6).rounded() / 1e6
    return shortened == 0 ? "\(self)" : "\(shortened)"
  }
}
