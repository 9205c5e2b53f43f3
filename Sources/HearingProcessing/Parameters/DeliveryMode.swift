/// When applied values are delivered to the applicators.
public enum DeliveryMode: Sendable, Equatable {
  /// At once; values that arrive while one is being applied queue, first in, first out.
  case continuous
  /// Debounced: when the interval has passed since the last call. Of a burst, only the last value
  /// is delivered. Use it for a slider that controls a wireless headphone. An interval that is not
  /// finite and positive means `continuous`.
  case discrete(seconds: Double)
  /// At once; of the values that arrive while one is being applied only the newest is kept.
  case latest

  /// As `discrete(seconds:)`.
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
