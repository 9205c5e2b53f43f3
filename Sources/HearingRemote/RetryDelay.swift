/// When a server that has failed may be asked again, as a state machine.
struct RetryDelay: Sendable {
  private var failures = 0
  private var end: Duration?

  /// The delay after the first failure in seconds; it doubles with each further failure.
  private static let first = 1.0
  private static let longest = 300.0
  /// The longest delay that a server can ask for: ten minutes.
  private static let longestAskedFor = 600.0

  /// How long to wait before asking the server again; nil: it may be asked now.
  func remaining(at now: Duration) -> Duration? {
    end.flatMap { $0 > now ? $0 - now : nil }
  }

  mutating func succeeded() {
    self = RetryDelay()
  }

  /// - Parameters:
  ///   - retryAfter: The seconds that the server asks for.
  ///   - jitter: A random number, 0.5…1, so that not all clients come back together.
  mutating func failed(at now: Duration, retryAfter: Double?, jitter: Double) {
    let grown = jitter * min(Self.longest, Self.first * Double(1 << min(failures, 20)))
    let askedFor = min(retryAfter ?? 0, Self.longestAskedFor)
    failures += 1
    end = now + .seconds(max(grown, askedFor))
  }
}
