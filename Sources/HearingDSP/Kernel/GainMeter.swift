/// The gains in dB in force, per channel and band, for meters.
struct GainMeter: ~Copyable {
  private let shape: ProcessorShape
  private let board: LevelBoard

  /// The target gains and the motions towards them, `[channel][band vector]`.
  private let bases: UnsafeMutablePointer<Float>
  private let motions: UnsafeMutablePointer<GainMotion>

  init(shape: ProcessorShape, board: LevelBoard) {
    self.shape = shape
    self.board = board
    bases = .filled(0, count: shape.channelCount * shape.bandVectors * 4)
    motions = .filled(GainMotion(), count: shape.channelCount * shape.bandVectors)
  }

  deinit {
    bases.deallocate()
    motions.deallocate()
  }

  /// Starts a transition to the fixed gains of `slot`, or to `targets` where gains depend on level.
  @_noLocks @_noAllocation
  mutating func startTransition(
    _ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains, _ restart: MotionRestart
  ) {
    for channel in 0..<shape.channelCount {
      for vector in 0..<shape.bandVectors {
        let index = channel * shape.bandVectors + vector
        let past = bases.float4(at: index * 4)
        takeTargets(slot, targets, channel, vector)
        motions[index].restart(restart, change: bases.float4(at: index * 4) - past)
      }
    }
  }

  /// Publishes the gains at a point of a transition.
  @_noLocks @_noAllocation
  mutating func show(
    _ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains, _ point: TransitionPoint
  ) {
    for channel in 0..<shape.channelCount {
      for vector in 0..<shape.bandVectors {
        let index = channel * shape.bandVectors + vector
        if !point.isWaiting { takeTargets(slot, targets, channel, vector) }
        var gains = bases.float4(at: index * 4)
        if let time = point.time { gains += motions[index].distance(at: time) }
        for band in vector * 4..<min(vector * 4 + 4, shape.bandCount) {
          board.writeGain(gains[band & 3], channel: channel, band: band)
        }
      }
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private func takeTargets(
    _ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains, _ channel: Int,
    _ vector: Int
  ) {
    let isLevelDependent = slot.pointee.channels[channel].isLevelDependent
    let reached =
      (isLevelDependent ? targets.reached : UnsafePointer(slot.pointee.reachedGains))
      + channel * shape.bandCount
    let requested =
      (isLevelDependent ? targets.bands : UnsafePointer(slot.pointee.gains))
      + channel * shape.bandCount
    let base = bases + (channel * shape.bandVectors) * 4
    for band in vector * 4..<min(vector * 4 + 4, shape.bandCount) {
      base[band] = reached[band]
      board.writeTarget(requested[band], channel: channel, band: band)
    }
  }
}
