/// How a processor limits its output; fixed when it is built.
///
///     let processor = try BandGainProcessor(
///       spec: spec, limiter: LimiterConfiguration(lookAhead: 0.002, isTruePeak: true))
///     processor.latency      // 96 frames at 48 kHz
///
/// With every configuration, no sample exceeds the ceiling, and sound below it passes unchanged.
/// The ceilings are not part of the configuration: they are settings and may change at any time.
public struct LimiterConfiguration: Sendable, Equatable {
  /// The delay of the sound in seconds, so that gain falls before a peak arrives: 0 (default) …
  /// 0.01.
  ///
  /// Without look-ahead, the first quarter period above the ceiling is clipped; after its peak, the
  /// sound is only softer. With look-ahead no sample is clipped, at the cost of latency. The delay
  /// is the same whether the processor is enabled or not. It is rounded to whole frames.
  public var lookAhead: Double

  /// Whether the reduction that the loudest channel needs is applied to all channels, so that the
  /// stereo image does not move. This is the default.
  ///
  /// A loud disturbance in one channel then also lowers the other channels. If false, each channel
  /// is limited separately.
  public var isLinked: Bool

  /// The time constant in seconds with which the gain returns after a peak: 0.01…1, default 0.06.
  ///
  /// Before it recovers, the gain is held for 10 ms, so that low tones are not distorted.
  public var releaseTime: Double

  /// Whether peaks between samples count as well, estimated at four times the sample rate.
  ///
  /// Such peaks then exceed the ceiling by at most 0.1 dB, for sound up to 0.4 of the sample rate.
  /// This needs look-ahead; if it is shorter than 16 frames, 16 frames are used. If the ceiling
  /// changes while a peak is in the delay, only samples are limited to the new ceiling, not the
  /// peaks between them.
  public var isTruePeak: Bool

  /// A configuration; the values are checked when a processor is built with it.
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
