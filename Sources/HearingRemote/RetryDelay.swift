/// Determines when the next request may be sent after a failure.
struct RetryDelay: Sendable {
  private var failures = 0
  private var end: Duration?

  /// The delay in seconds after the first failure. The delay doubles with each further failure.
  /// Each delay is multiplied by a random factor.
  private static let initial = 1.0
  /// The maximum delay in seconds if the server requests no delay. The server can request a longer
  /// delay.
  private static let maximum = 300.0
  /// The maximum delay in seconds that a server can request (ten minutes).
  private static let maximumRequested = 600.0

  /// The remaining time before a request may be sent to the server. Nil if a request may be sent
  /// now.
  func remaining(at now: Duration) -> Duration? {
    end.flatMap { $0 > now ? $0 - now : nil }
  }

  mutating func succeeded() {
    self = RetryDelay()
  }

  /// - Parameters:
  ///   - retryAfter: The delay in seconds that the server requests, or nil.
  ///   - jitter: A random factor for the delay, from 0.5 to 1. Because of this factor, not all
  ///     clients retry at the same time.
  mutating func failed(at now: Duration, retryAfter: Double?, jitter: Double) {
    let backOff = jitter * min(Self.maximum, Self.initial * Double(1 << min(failures, 20)))
    let requested = min(retryAfter ?? 0, Self.maximumRequested)
    failures += 1
    end = now + .seconds(max(backOff, requested))
  }
}
