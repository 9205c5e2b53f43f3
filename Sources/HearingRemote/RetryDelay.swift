/// When a server that has failed may be asked again, as a state machine.
struct RetryDelay: Sendable {
  private var failures = 0
  private var end: Duration?

  /// The delay after the first failure in seconds; it doubles with each further failure.
  private static let initial = 1.0
  /// The maximum of that delay, in seconds.
  private static let maximum = 300.0
  /// The maximum delay that a server can request, in seconds: ten minutes.
  private static let maximumRequested = 600.0

  /// How long to wait before asking the server again; nil: it may be asked now.
  func remaining(at now: Duration) -> Duration? {
    end.flatMap { $0 > now ? $0 - now : nil }
  }

  mutating func succeeded() {
    self = RetryDelay()
  }

  /// - Parameters:
  ///   - retryAfter: The seconds that the server asks for.
  ///   - jitter: A random factor, 0.5…1, so that not all clients come back together.
  mutating func failed(at now: Duration, retryAfter: Double?, jitter: Double) {
    let backOff = jitter * min(Self.maximum, Self.initial * Double(1 << min(failures, 20)))
    let requested = min(retryAfter ?? 0, Self.maximumRequested)
    failures += 1
    end = now + .seconds(max(backOff, requested))
  }
}
