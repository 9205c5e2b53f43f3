/// Specifies when a parameter delivers a new value to its applicators.
public enum DeliveryMode: Sendable, Equatable {
  /// Delivers each value immediately. Values that arrive while another value is being applied wait
  /// in a first-in, first-out queue.
  case continuous
  /// Debounces values: delivers a value only if no newer value arrives during the interval. If many
  /// values arrive in quick succession, only the last value is delivered. Use `discrete`, for
  /// example, for a slider that controls a wireless headphone. If the interval is NaN, infinite,
  /// zero or negative, values are delivered as in the mode `continuous`.
  case discrete(seconds: Double)
  /// Delivers each value immediately. While applicators are applying a value, only the newest of
  /// the later values waits. Older waiting values fail with `ParameterError.superseded`.
  case latest

  /// Creates the mode `discrete(seconds:)` from a `Duration`.
  public static func discrete(_ interval: Duration) -> DeliveryMode {
    .discrete(seconds: interval / .seconds(1))
  }

  /// This mode. If the interval of `discrete` is NaN, infinite, zero or negative, `continuous`
  /// instead.
  var normalized: DeliveryMode {
    if case .discrete(let seconds) = self, Duration.wait(seconds: seconds) == nil {
      return .continuous
    }
    return self
  }
}
