/// Specifies how a ``BandGainProcessor`` limits its output. The configuration is fixed when the
/// processor is built.
///
///     let processor = try BandGainProcessor(
///       spec: spec, limiter: LimiterConfiguration(lookAhead: 0.002, isTruePeak: true))
///     processor.latency      // 96 frames at 48 kHz
///
/// With every configuration, no output sample exceeds the ceiling, and a signal below the ceiling
/// passes unchanged. Ceilings may change at any time. Therefore the ceilings are part of
/// ``ProcessorSettings``.
public struct LimiterConfiguration: Sendable, Equatable {
  /// The look-ahead in seconds, 0…0.01. The default is 0. The look-ahead delays the signal, so that
  /// the gain can fall before a peak arrives.
  ///
  /// Without look-ahead, a signal that rises above the ceiling is clipped until its first peak.
  /// After the first peak, the signal is attenuated instead of clipped. With look-ahead, no sample
  /// is clipped, but the latency is greater. The look-ahead is rounded to whole frames. A disabled
  /// processor has the same latency as an enabled processor. With a headphone correction, a
  /// disabled processor limits the corrected signal without look-ahead.
  public var lookAhead: Double

  /// Whether the channels are linked: all channels get the gain reduction that the loudest channel
  /// needs. The default is true. Linking prevents shifts of the stereo image.
  ///
  /// If channels are linked, a loud noise in one channel also attenuates the other channels. If
  /// channels are not linked, each channel is limited separately. Two neighbouring channels are
  /// also limited separately if their headroom differs by more than 6 dB. The headroom is the
  /// output ceiling minus the largest gain of a band at an input level of 80 dB SPL. For a listener
  /// with an asymmetric hearing loss, the channels of the two ears are therefore limited
  /// separately. If new settings reduce the difference to 6 dB or less, the channels are linked
  /// again. Linking starts when the limiter gains of both channels have returned to 1.
  public var isLinked: Bool

  /// The time constant in seconds for the recovery of the gain after a peak, 0.01…1. The default is
  /// 0.06.
  ///
  /// Before the recovery, the gain stays constant for 10 ms, so that low tones are not distorted.
  public var releaseTime: Double

  /// Whether the limiter also limits peaks between samples (true peaks). True peaks are estimated
  /// at four times the sample rate.
  ///
  /// If true peaks are not limited, a tone may exceed the ceiling, because the peaks of the tone
  /// may lie between samples. Tones below a twelfth of the sample rate exceed the ceiling by up to
  /// 0.3 dB. A tone at a sixth of the sample rate (8 kHz at 48 kHz) exceeds the ceiling by up to
  /// 1.25 dB. If true peaks are limited, peaks between samples exceed the ceiling by at most 0.1
  /// dB. The limit of 0.1 dB applies to frequencies up to 0.4 of the sample rate. A true-peak
  /// limiter needs a look-ahead of at least 16 frames. If ``lookAhead`` is shorter, the limiter
  /// uses a look-ahead of 16 frames. If the ceiling is lowered while a peak is in the delay line,
  /// the samples of this peak are limited to the new ceiling. The signal between the samples of the
  /// peak can still exceed the new ceiling. In the first 10 ms after processing is enabled, the
  /// original signal fades out, and only the samples of the original signal are limited. In these
  /// 10 ms, peaks between samples can exceed the ceiling by up to 5 dB. The headphone
  /// correction stays active while processing is disabled. The limiter then limits the samples, but
  /// not the peaks between samples.
  public var isTruePeak: Bool

  /// Creates a configuration. The initializer of ``BandGainProcessor`` checks the ranges of the
  /// times.
  public init(
    lookAhead: Double = 0, isLinked: Bool = true, releaseTime: Double = 0.06,
    isTruePeak: Bool = false
  ) {
    self.lookAhead = lookAhead
    self.isLinked = isLinked
    self.releaseTime = releaseTime
    self.isTruePeak = isTruePeak
  }
}

extension LimiterConfiguration {
  /// The range of look-ahead times in seconds that a processor accepts.
  public static let supportedLookAheads: ClosedRange<Double> = 0...0.01

  /// The range of release times in seconds that a processor accepts.
  public static let supportedReleaseTimes: ClosedRange<Double> = 0.01...1
}
