/// Specifies how a ``BandGainProcessor`` limits its output. The configuration is fixed when the
/// processor is built.
///
///     let processor = try BandGainProcessor(
///       spec: spec, limiter: LimiterConfiguration(lookAhead: 0.002, isTruePeak: true))
///     processor.latency      // 96 frames at 48 kHz
///
/// With every configuration, no sample exceeds the ceiling, and a signal below the ceiling passes
/// unchanged. The ceilings are not part of the configuration. ``ProcessorSettings`` contains the
/// ceilings, which may change at any time.
public struct LimiterConfiguration: Sendable, Equatable {
  /// The look-ahead in seconds, 0…0.01. The default is 0. The look-ahead delays the signal so that
  /// the gain falls before a peak arrives.
  ///
  /// Without look-ahead, a signal that exceeds the ceiling is clipped until its first peak. After
  /// that peak, the signal is only attenuated. With look-ahead, no sample is clipped, but the
  /// output has more latency. The delay is rounded to whole frames. A disabled processor has the
  /// same delay.
  public var lookAhead: Double

  /// Whether all channels get the gain reduction that the loudest channel needs. The default is
  /// true. Linking keeps the stereo image stable.
  ///
  /// With linking, a loud noise in one channel also attenuates the other channels. Without linking,
  /// each channel is limited separately.
  public var isLinked: Bool

  /// The time constant in seconds for the recovery of the gain after a peak, 0.01…1. The default is
  /// 0.06.
  ///
  /// The gain is held for 10 ms before the recovery, so that low tones are not distorted.
  public var releaseTime: Double

  /// Whether the limiter also limits peaks between samples. These peaks are estimated at four times
  /// the sample rate.
  ///
  /// If peaks between samples are not limited, a tone may be louder than the ceiling, because its
  /// peaks may lie between samples. The excess is up to 0.3 dB for tones below a twelfth of the
  /// sample rate, and 1.25 dB at a sixth of the sample rate (8 kHz at 48 kHz). If they are limited,
  /// peaks between samples exceed the ceiling by at most 0.1 dB, for signals up to 0.4 of the
  /// sample rate. A true-peak limiter needs a look-ahead of at least 16 frames. If the look-ahead
  /// is shorter, it is extended to 16 frames. If the ceiling is lowered while a peak is in the
  /// delay, the samples of that peak are limited to the new ceiling. Peaks between these samples
  /// are not.
  public var isTruePeak: Bool

  /// Creates a configuration. The values are checked when a processor is built with this
  /// configuration.
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
  /// The look-ahead in seconds that a processor accepts.
  public static let supportedLookAheads: ClosedRange<Double> = 0...0.01

  /// The release times in seconds that a processor accepts.
  public static let supportedReleaseTimes: ClosedRange<Double> = 0.01...1
}
