/// The error for a value that is not valid, such as a number outside its range.
public struct InvalidValue: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name of the value or its path, such as "maximumRatio" or "gains[2][5]". Indices count
  /// from 0.
  public let position: String
  /// A description of the error, without the name of the value.
  public let reason: String

  /// The error in one line, with the name of the value and the reason.
  public var description: String { "\(position): \(reason)" }
}

extension InvalidValue {
  /// The error for a number that is not finite or is outside its range. `unit` is empty or begins
  /// with a space.
  init(position: String, value: Double, range: ClosedRange<Double>, unit: String = "") {
    self.init(
      position: position,
      reason: "\(value.plain)\(unit) is outside \(range.lowerBound.plain) to "
        + "\(range.upperBound.plain)\(unit)")
  }
}
