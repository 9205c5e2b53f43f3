/// One thing that a parameter was asked to do, with the place for its result.
@usableFromInline
struct ParameterRequest<Value: Equatable & Sendable>: Sendable {
  @usableFromInline let target: Target
  @usableFromInline let result: ResultPublisher<Value, ParameterError>

  /// What the applicators are to be brought to.
  @usableFromInline
  enum Target: Sendable {
    /// A value that was applied, or that an applicator joined with.
    case value(Value)
    /// The value that stands when the request's turn comes.
    case current
    /// A value that the session puts in place of the one that stands then, which is handed to
    /// `replacing`. It passes where applied values are refused.
    case imposed(Value, replacing: @Sendable (Value) -> Void)
  }

  /// - Parameter result: Where the outcome goes; a new place unless somebody waits already.
  @inlinable
  init(_ target: Target, result: ResultPublisher<Value, ParameterError> = .init()) {
    self.target = target
    self.result = result
  }

  /// Whether it brings a value of the caller's, which a later one can overtake.
  @inlinable
  var isValue: Bool {
    if case .value = target { return true }
    return false
  }
}
