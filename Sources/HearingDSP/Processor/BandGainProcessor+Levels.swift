extension BandGainProcessor {
  /// What rendering measures: gains in force, peaks, the limiter's work. Any thread, wait-free for
  /// rendering.
  ///
  /// Brought up to date at the end of every block; gains at every sub-block of a transition. Before
  /// the first frame everything is 0.
  public var levels: BandLevels {
    BandLevels(
      channels: (0..<spec.channelCount).map { channel in
        BandLevels.Channel(
          gains: layout.centers.indices.map { band in
            Double(board.readGain(channel: channel, band: band))
          },
          inputPeak: Double(board.read(.inputPeak, channel: channel)),
          outputPeak: Double(board.read(.outputPeak, channel: channel)),
          limiterReduction: Self.reduction(board.read(.limiterGain, channel: channel)),
          greatestLimiterReduction: Self.reduction(
            board.read(.smallestLimiterGain, channel: channel)),
          limitedFrameCount: board.readLimitedFrames(channel: channel))
      })
  }

  private static func reduction(_ gain: Float) -> Double {
    gain < 1 ? -Elementary.decibels(amplitude: Double(gain)) : 0
  }
}
