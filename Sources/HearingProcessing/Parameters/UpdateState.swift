/// The progress of a parameter's current work, for a progress view or a status line.
///
/// If several states apply, the first in this order is shown: applying, loading, waiting, last
/// outcome. A value that was refused without a sequence does not change it.
public enum UpdateState<Value: Sendable>: Sendable {
  /// Nothing is pending, and the last sequence, if any, succeeded.
  case applied
  /// A value is debounced (`DeliveryMode.discrete`).
  case waiting
  /// A value is being loaded (`RemoteProcessingParameter.reload()`).
  case loading
  /// The applicators are applying this value.
  case applying(Value)
  /// The last sequence failed: its value, and the error. After a failed load it contains the
  /// parameter's current value.
  indirect case failed(Value, ParameterError)
}

extension UpdateState: Equatable where Value: Equatable {}
