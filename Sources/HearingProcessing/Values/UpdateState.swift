/// The progress of a change of a parameter's value. An app can show this state in a progress
/// indicator or in a status line.
///
/// A parameter can be in several states at the same time. For example, one value is being applied
/// while another value is being loaded. In this case, only the state with the highest priority is
/// published. The order of priority, from high to low, is: applying, loading, waiting, outcome of
/// the last change. If a value is rejected before an applicator is called, the state does not
/// change.
public enum UpdateState<Value: Sendable>: Sendable {
  /// No value is waiting, being loaded or being applied, and the last change has not failed.
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
