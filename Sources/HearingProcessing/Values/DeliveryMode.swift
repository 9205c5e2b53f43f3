/// Specifies when a parameter delivers a new value to its applicators.
public enum DeliveryMode: Sendable, Equatable {
  /// Delivers each value immediately. Values that arrive while another value is being applied wait
  /// in a first-in, first-out queue.
  case continuous
  /// Debounces values: delivers a value only if no newer value arrives during the interval. Only
  /// the last value of a burst is delivered. Use `discrete` for a slider that controls a wireless
  /// headphone. An interval that is NaN, infinite, zero or negative means `continuous`.
  case discrete(seconds: Double)
  /// Delivers each value immediately. While applicators apply a value, only the newest waiting
  /// value is retained.
  case latest

  /// Creates the mode `discrete(seconds:)` from a `Duration`.
  public static func discrete(_ interval: Duration) -> DeliveryMode {
    .discrete(seconds: interval / .seconds(1))
  }

  /// This mode, or `continuous` if the interval is NaN, infinite, zero or negative.
  var normalized: DeliveryMode {
    if case .discrete(let seconds) = self, Duration.wait(seconds: seconds) == nil {
      return .continuous
    }
    return self
  }
}
