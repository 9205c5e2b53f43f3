internal import HearingBuffers

/// Levels and gains that a processor measures while it renders, for meters and reports.
///
///     let levels = processor.levels
///     print(levels.channels[0].limiterReduction, "dB of gain reduction by the limiter")
///
/// Each value by itself is consistent. Values that are read together may come from neighbouring
/// blocks. Changes between two readings are visible only in the peaks and the counts.
public struct BandLevels: Sendable, Equatable {
  /// The channels in the order of the stream.
  public let channels: [Channel]

  /// One channel's values.
  public struct Channel: Sendable, Equatable {
    /// The gain actually in force in dB at the centre of each band of the layout, intensity
    /// included.
    public let gains: [Double]

    /// The gain in dB that the settings request in each band, intensity included.
    ///
    /// After a transition, ``gains`` differs from it where the filters of the layout cannot reach
    /// it, for example with high gain in one band and low gain in a close neighbour. While gains
    /// depend on level, the sections follow with an error of up to 0.2 dB.
    public let targetGains: [Double]

    /// The input level in dB SPL in each band of the layout, with the attack and release of the
    /// band's curve; nil while all gains of all channels are fixed, because levels are not measured
    /// then.
    ///
    /// Channel linking does not change it. For silence it is 200 dB below full scale.
    public let inputLevels: [Double]?

    /// The peak magnitude of valid input samples in the last 50 to 100 ms.
    public let inputPeak: Double

    /// The peak magnitude of output samples in the last 50 to 100 ms.
    public let outputPeak: Double

    /// The limiter's gain reduction now, in dB; 0 if none.
    public let limiterReduction: Double

    /// The maximum gain reduction of the limiter in dB since the start or the last reset.
    public let greatestLimiterReduction: Double

    /// Frames with more than 0.5 dB of limiter gain reduction since the start or the last reset.
    public let limitedFrameCount: UInt64

    /// Input samples that were replaced by 0 since the start or the last reset, because they were
    /// not finite or were louder than any real sound.
    ///
    /// Integers that were not scaled to ±1.0 are a frequent cause.
    public let rejectedSampleCount: UInt64
  }
}

extension BandGainProcessor {
  /// Gains in force, levels, peaks and limiter statistics. Any thread; wait-free for rendering.
  ///
  /// Updated at the end of every block; gains at every edge of a sub-block while they move, input
  /// levels once per window of at most 2 ms. Before the first frame everything is 0, and
  /// ``BandLevels/Channel/inputLevels`` is nil.
  public var levels: BandLevels {
    BandLevels(
      channels: (0..<spec.channelCount).map { channel in
        BandLevels.Channel(
          gains: board.read(.gain, channel: channel),
          targetGains: board.read(.target, channel: channel),
          inputLevels: inputLevels(channel: channel),
          inputPeak: Double(board.read(.inputPeak, channel: channel)),
          outputPeak: Double(board.read(.outputPeak, channel: channel)),
          limiterReduction: Self.reduction(board.read(.limiterGain, channel: channel)),
          greatestLimiterReduction: Self.reduction(
            board.read(.minimumLimiterGain, channel: channel)),
          limitedFrameCount: board.read(.limitedFrames, channel: channel),
          rejectedSampleCount: board.read(.rejectedSamples, channel: channel))
      })
  }

  private func inputLevels(channel: Int) -> [Double]? {
    let levels = board.read(.level, channel: channel)
    return levels.contains { $0.isNaN } ? nil : levels
  }

  /// The output peak of the last 50 to 100 ms and the limiter's gain in a channel, as a factor. Any
  /// thread; allocates nothing, so that a plugin can read it on the render side.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package func outputMeter(channel: Int) -> (peak: Float, limiterGain: Float) {
    (board.read(.outputPeak, channel: channel), board.read(.limiterGain, channel: channel))
  }

  private static func reduction(_ gain: Float) -> Double {
    gain < 1 ? -CMath.decibels(amplitude: Double(gain)) : 0
  }
}
