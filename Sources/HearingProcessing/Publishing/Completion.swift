/// How a result came to its end.
public enum Completion<Failure: Error>: Sendable {
  /// The value was delivered.
  case finished
  /// There is no value, and this is why.
  case failure(Failure)
}

extension Completion: Equatable where Failure: Equatable {}
