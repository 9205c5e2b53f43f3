extension BandGainProcessor {
  /// What rendering measures: gains in force, peaks, the limiter's work. Any thread, wait-free for
  /// rendering.
  ///
  /// Brought up to date at the end of every block; gains at every edge of a sub-block while they
  /// move, input levels once in a window of at most 2 ms. Before the first frame everything is 0,
  /// and no input levels are known.
  public var levels: BandLevels {
    BandLevels(
      channels: (0..<spec.channelCount).map { channel in
        BandLevels.Channel(
          gains: layout.centers.indices.map { band in
            Double(board.readGain(channel: channel, band: band))
          },
          inputLevels: inputLevels(channel: channel),
          inputPeak: Double(board.read(.inputPeak, channel: channel)),
          outputPeak: Double(board.read(.outputPeak, channel: channel)),
          limiterReduction: Self.reduction(board.read(.limiterGain, channel: channel)),
          greatestLimiterReduction: Self.reduction(
            board.read(.smallestLimiterGain, channel: channel)),
          limitedFrameCount: board.readLimitedFrames(channel: channel))
      })
  }

  private func inputLevels(channel: Int) -> [Double]? {
    let levels = layout.centers.indices.map { band in
      Double(board.readLevel(channel: channel, band: band))
    }
    return levels.contains(where: \.isNaN) ? nil : levels
  }

  private static func reduction(_ gain: Float) -> Double {
    gain < 1 ? -Elementary.decibels(amplitude: Double(gain)) : 0
  }
}
