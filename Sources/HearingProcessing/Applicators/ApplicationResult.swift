/// What an applicator answers when it was asked to apply a value.
public enum ApplicationResult: Sendable {
  /// The value is in force.
  case success
  /// The value is not in force, and this is why.
  case failure(any Error)
}
