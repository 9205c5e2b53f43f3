/// The progress of a parameter's current change, for a progress indicator or a status line.
///
/// If several states apply, only one state is published. The order of priority is: applying,
/// loading, waiting, outcome of the last change. If a value is rejected before an applicator is
/// called, the state does not change.
public enum UpdateState<Value: Sendable>: Sendable {
  /// No value is pending, and the last change has not failed.
  case applied
  /// A value waits for the end of its debounce interval (`DeliveryMode.discrete`).
  case waiting
  /// A value is being loaded (`RemoteProcessingParameter.reload()`).
  case loading
  /// The applicators are applying this value.
  case applying(Value)
  /// The last change or load failed. The associated values are the value that was not applied, and
  /// the error. After a failed load, the first associated value is the parameter's current value.
  indirect case failed(Value, ParameterError)
}

extension UpdateState: Equatable where Value: Equatable {}
