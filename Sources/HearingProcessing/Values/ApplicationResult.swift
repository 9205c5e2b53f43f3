/// The answer of an applicator: success or failure.
public enum ApplicationResult: Sendable {
  /// The value was applied.
  case success
  /// The value was not applied. The error says why.
  case failure(any Error)
}
