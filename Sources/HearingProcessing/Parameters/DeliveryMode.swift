/// When applied values are delivered to the applicators.
public enum DeliveryMode: Sendable, Equatable {
  /// At once; values that arrive while one is being applied queue, first in, first out.
  case continuous
  /// Debounced: delivered when the interval has passed since the last call. Only the last value of
  /// a burst is delivered. Use it for a slider that controls a wireless headphone. An interval that
  /// is not finite and positive means `continuous`.
  case discrete(seconds: Double)
  /// At once; of the values that arrive while one is being applied only the newest is kept.
  case latest

  /// The same as `discrete(seconds:)`, with a `Duration`.
  public static func discrete(_ interval: Duration) -> DeliveryMode {
    .discrete(seconds: interval / .seconds(1))
  }

  /// This mode, or `continuous` if its interval is not finite and positive.
  var normalized: DeliveryMode {
    if case .discrete(let seconds) = self, Duration.wait(seconds: seconds) == nil {
      return .continuous
    }
    return self
  }
}
