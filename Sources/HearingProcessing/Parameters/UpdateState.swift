/// How far a parameter is with what was asked of it, for a progress view or a status line.
///
/// It tells of the sequence in force: applying before loading before waiting before the last
/// outcome. A value that was refused without a sequence does not show here.
public enum UpdateState<Value: Sendable>: Sendable {
  /// Nothing is under way, and the last sequence, if any, succeeded.
  case applied
  /// A value waits for its interval to pass (`DeliveryMode.discrete`).
  case waiting
  /// A value is being loaded (`RemoteProcessingParameter.reload()`).
  case loading
  /// The applicators are being asked to take this value.
  case applying(Value)
  /// The last sequence failed: the value it was for, and why. After a failed load the value is the
  /// one that still stands.
  indirect case failed(Value, ParameterError)
}
