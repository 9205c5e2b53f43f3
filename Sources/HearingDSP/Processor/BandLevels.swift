internal import HearingBuffers

/// Levels and gains that a processor measures during rendering, for meters and reports.
///
///     let levels = processor.levels
///     print(levels.channels[0].limiterReduction, "dB of gain reduction by the limiter")
///
/// One read of `processor.levels` may return numbers from two consecutive blocks. The counts and
/// the maximum gain reduction cover the whole time since the first rendered frame or the last
/// reset. The peaks cover at least the last 50 ms.
public struct BandLevels: Sendable, Equatable {
  /// The gains, levels and statistics of each channel. The order of the channels is the same as in
  /// the audio stream.
  public let channels: [Channel]

  /// The gains, levels, peaks and limiter statistics of one channel.
  public struct Channel: Sendable, Equatable {
    /// The gain in dB that is currently applied at the centre of each band. The gain includes the
    /// scaling by the intensity.
    public let gains: [Double]

    /// The gain in dB that the settings request in each band. The gain includes the scaling by the
    /// intensity.
    ///
    /// After a transition, ``gains`` differs from the requested gain only if the filters cannot
    /// reach the requested gain. For example, the filters may not reach a high gain in one band and
    /// a low gain in the next band. If gains depend on the level, ``gains`` differs from the
    /// requested gain by up to 0.2 dB.
    public let targetGains: [Double]

    /// The input level in dB SPL in each band, smoothed with the attack and release times of the
    /// band's curve. Nil if all gains of all channels are fixed. Levels are measured only for gains
    /// that depend on the level.
    ///
    /// Channel linking does not change the input levels. The input level of silence is 200 dB below
    /// full scale.
    public let inputLevels: [Double]?

    /// The peak magnitude of valid input samples, before the headphone correction. The peak covers
    /// at least the last 50 ms and at most the last 150 ms.
    public let inputPeak: Double

    /// The peak magnitude of output samples. The peak covers at least the last 50 ms and at most
    /// the last 150 ms.
    public let outputPeak: Double

    /// The current gain reduction of the limiter in dB, 0 or more.
    public let limiterReduction: Double

    /// The maximum gain reduction of the limiter in dB since the first rendered frame or the last
    /// reset.
    public let greatestLimiterReduction: Double

    /// The number of frames in which the limiter reduced the gain by more than 0.5 dB. Frames are
    /// counted since the first rendered frame or the last reset.
    public let limitedFrameCount: UInt64

    /// The number of input samples that were replaced by 0 since the first rendered frame or the
    /// last reset. An input sample is replaced if it is not finite, or if it is louder than any
    /// real sound.
    ///
    /// The usual cause of replaced samples is a host that passes integer samples without scaling
    /// them to ±1.0.
    public let rejectedSampleCount: UInt64
  }
}

extension BandGainProcessor {
  /// The current gains, levels, peaks and limiter statistics. May be read from any thread. A read
  /// never delays the audio thread.
  ///
  /// The peaks, the counts and the gain reductions of the limiter are updated at the end of every
  /// block. While gains change, the gains are updated at least every 2 ms. Input levels are also
  /// updated at least every 2 ms. Before the first rendered frame, all numbers are 0, and
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

  /// The ``BandLevels/Channel/outputPeak`` of a channel, and the limiter's gain as a factor. May be
  /// read from any thread. The read allocates no memory. Therefore a plugin can call this method on
  /// the audio thread.
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
