/// The error for a number that is not finite or is outside its range.
public struct OutOfRange: Error, Sendable, Equatable {
  /// The name of the value, such as "maximumRatio".
  public let position: String
  /// The value.
  public let value: Double
  /// The permitted values.
  public let range: ClosedRange<Double>
}

extension OutOfRange: CustomStringConvertible {
  /// A description of the error, without the name of the value.
  public var reason: String {
    "\(value.plain) is outside \(range.lowerBound.plain) to \(range.upperBound.plain)"
  }

  /// The error in one line, with the name, the value and the range.
  public var description: String { "\(position): \(reason)" }
}
