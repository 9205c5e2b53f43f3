/// The progress of a parameter's current change, for a progress view or a status line.
///
/// If several states apply, the first of them in this order is published: applying, loading,
/// waiting, outcome of the last change. A value that was rejected before its sequence began does
/// not change the state.
public enum UpdateState<Value: Sendable>: Sendable {
  /// Nothing is pending, and the last sequence, if any, succeeded.
  case applied
  /// A value waits for the end of its debounce interval (`DeliveryMode.discrete`).
  case waiting
  /// A value is being loaded (`RemoteProcessingParameter.reload()`).
  case loading
  /// The applicators are applying this value.
  case applying(Value)
  /// The last sequence or load failed. The associated values are the value that was not applied,
  /// and the error. After a failed load, the value is the parameter's current value.
  indirect case failed(Value, ParameterError)
}

extension UpdateState: Equatable where Value: Equatable {}
