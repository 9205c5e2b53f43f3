import HearingDSP
import SignalTestSupport

/// Every kind of limiter.
enum Limiters {
  static let all: [(name: String, configuration: LimiterConfiguration)] = [
    ("per channel", LimiterConfiguration(isLinked: false)),
    ("linked", LimiterConfiguration()),
    ("2 ms ahead", LimiterConfiguration(lookAhead: 0.002, isLinked: false)),
    ("10 ms ahead, linked", LimiterConfiguration(lookAhead: 0.01, isLinked: true)),
    ("one frame ahead", LimiterConfiguration(lookAhead: 1.0 / 48_000, isLinked: false)),
    ("true peaks, linked", LimiterConfiguration(lookAhead: 0.002, isTruePeak: true)),
    (
      "true peaks",
      LimiterConfiguration(isLinked: false, releaseTime: 0.05, isTruePeak: true)
    ),
  ]

  /// The limiters to test. If the build is slow, these are only the simplest and the most complex
  /// limiter.
  static var affordable: [(name: String, configuration: LimiterConfiguration)] {
    Signals.isSanitized ? [all[0], all[3]] : all
  }
}

/// Creates a processor with a limiter and a sample rate of 48 kHz.
func limitingProcessor(
  _ limiter: LimiterConfiguration, channels: Int = 2
) throws -> BandGainProcessor {
  try BandGainProcessor(
    spec: ProcessingSpec(sampleRate: 48_000, channelCount: channels), limiter: limiter)
}
