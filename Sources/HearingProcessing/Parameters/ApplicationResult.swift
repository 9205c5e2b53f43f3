/// An applicator's answer to a value that it was asked to apply.
public enum ApplicationResult: Sendable {
  /// The value was applied.
  case success
  /// The value was not applied; the error is the cause.
  case failure(any Error)
}
