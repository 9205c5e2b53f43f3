/// How a processor limits its output; fixed when it is built.
///
///     let processor = try BandGainProcessor(
///       spec: spec, limiter: LimiterConfiguration(lookAhead: 0.002, isLinked: true))
///     processor.latency      // 96 frames at 48 kHz
///
/// With every configuration no sample exceeds the ceiling, and sound below it passes untouched. The
/// ceilings are not part of it: they are settings and may change at any time.
public struct LimiterConfiguration: Sendable, Equatable {
  /// By how many seconds the sound is delayed so that gain falls before a peak arrives instead of
  /// with it: 0 (default) … 0.01.
  ///
  /// Without look-ahead the first quarter of a period that exceeds the ceiling is clipped; from its
  /// peak on it is only softer. With look-ahead no sample is clipped, at the cost of latency. The
  /// delay is the same whether the processor is enabled or not. Rounded to whole frames.
  public var lookAhead: Double

  /// Whether the reduction that the loudest channel needs is applied to all of them, so that the
  /// stereo image does not move.
  ///
  /// By default each channel is limited by itself. If linked, a loud disturbance in one channel lowers
  /// the others.
  public var isLinked: Bool

  /// A configuration; the values are checked where a processor is built with it.
  public init(lookAhead: Double = 0, isLinked: Bool = false) {
    self.lookAhead = lookAhead
    self.isLinked = isLinked
  }
}

extension LimiterConfiguration {
  /// The look-ahead in seconds that a processor accepts.
  public static let supportedLookAheads: ClosedRange<Double> = 0...0.01

  /// The look-ahead in frames at `sampleRate` Hz.
  func latency(sampleRate: Double) -> Int { Int((lookAhead * sampleRate).rounded()) }
}
