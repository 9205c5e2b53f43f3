/// What a processor measures while it renders, for meters and reports.
///
///     let levels = processor.levels
///     print(levels.channels[0].limiterReduction, "dB taken off by the limiter")
///
/// Each figure is whole, but figures read together may stem from neighbouring blocks. It is no
/// recording: what happened between two readings shows only in the peaks and the counts.
public struct BandLevels: Sendable, Equatable {
  /// The channels in the order of the stream.
  public let channels: [Channel]

  /// One channel's figures.
  public struct Channel: Sendable, Equatable {
    /// The gain in force in dB for each band of the layout, intensity included.
    public let gains: [Double]

    /// The input level in dB SPL in each band of the layout, with the attack and release of the
    /// band's curve; nil while all gains of all channels are fixed, since then nothing is measured.
    ///
    /// Of this channel alone, whatever the linking. Silence reads 200 dB below full scale.
    public let inputLevels: [Double]?

    /// The greatest input magnitude of the last 50 to 100 ms; what is no sound does not count.
    public let inputPeak: Double

    /// The greatest output magnitude of the last 50 to 100 ms.
    public let outputPeak: Double

    /// By how many dB the limiter lowers the sound now; 0 if it does nothing.
    public let limiterReduction: Double

    /// By how many dB the limiter has lowered the sound at most, since the start or the last reset.
    public let greatestLimiterReduction: Double

    /// How many frames the limiter has lowered since the start or the last reset.
    public let limitedFrameCount: UInt64
  }
}
