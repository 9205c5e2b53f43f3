/// The error for a value that is not valid, such as a number outside its range.
public struct InvalidValue: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name or the path of the invalid value, such as "maximumRatio" or "gains[2][5]". Indices
  /// start at 0. In Embedded Swift, the name is empty to save 10 kB of code.
  public let position: String
  /// A description of the error, without the name of the value. In Embedded Swift, this text is
  /// empty.
  public let reason: String

  /// A one-line description of the error, with the name of the value and the reason.
  public var description: String { "\(position): \(reason)" }

  init(position: @autoclosure () -> String, reason: @autoclosure () -> String) {
    #if hasFeature(Embedded)
      (self.position, self.reason) = ("", "")
    #else
      (self.position, self.reason) = (position(), reason())
    #endif
  }

  /// Checks that `value` is nil, or finite and within `range`. The text `unit` follows the numbers
  /// in the error. `unit` is empty or begins with a space.
  ///
  /// - Throws: An ``InvalidValue`` if the number is not valid.
  static func check(
    _ value: Double?, in range: ClosedRange<Double>, at position: @autoclosure () -> String,
    unit: @autoclosure () -> String = ""
  ) throws(InvalidValue) {
    guard let value, !range.contains(value) else { return }
    throw InvalidValue(
      position: position(),
      reason: "\(value.plain)\(unit()) is outside \(range.lowerBound.plain) to "
        + "\(range.upperBound.plain)\(unit())")
  }
}
