import HearingDSP
import SignalTestSupport

/// Every kind of limiter.
enum Limiters {
  static let all: [(name: String, configuration: LimiterConfiguration)] = [
    ("per channel", LimiterConfiguration()),
    ("linked", LimiterConfiguration(isLinked: true)),
    ("2 ms ahead", LimiterConfiguration(lookAhead: 0.002)),
    ("10 ms ahead, linked", LimiterConfiguration(lookAhead: 0.01, isLinked: true)),
    ("one frame ahead", LimiterConfiguration(lookAhead: 1.0 / 48_000)),
  ]

  /// All of them where tests are fast, otherwise the simplest and the one that does most.
  static var affordable: [(name: String, configuration: LimiterConfiguration)] {
    Signals.isUnoptimized ? [all[0], all[3]] : all
  }
}
