/// The gains in dB in force, per channel and band, for meters.
struct GainMeter: ~Copyable {
  private let shape: ProcessorShape
  private let board: LevelBoard

  /// At the start of the transition and now, `[channel][band]`.
  private let starts: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Float>

  init(shape: ProcessorShape, board: LevelBoard) {
    self.shape = shape
    self.board = board
    starts = .filled(0, count: shape.channelCount * shape.bandCount)
    gains = .filled(0, count: shape.channelCount * shape.bandCount)
  }

  deinit {
    starts.deallocate()
    gains.deallocate()
  }

  /// Makes the gains in force the start of a transition.
  @_noLocks @_noAllocation
  mutating func startTransition() {
    for index in 0..<shape.channelCount * shape.bandCount { starts[index] = gains[index] }
  }

  /// Shows the gains after `share` of a transition.
  @_noLocks @_noAllocation @inline(__always)
  mutating func show(
    _ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains, share: Float
  ) {
    for channel in 0..<shape.channelCount {
      let isLevelDependent = slot.pointee.channels[channel].isLevelDependent
      let ends = isLevelDependent ? targets.bands : UnsafePointer(slot.pointee.gains)
      for band in 0..<shape.bandCount {
        let index = channel * shape.bandCount + band
        let (start, end) = (starts[index], ends[index])
        let gain = share == 1 ? end : start + (end - start) * share
        gains[index] = gain
        board.writeGain(gain, channel: channel, band: band)
      }
    }
  }
}
