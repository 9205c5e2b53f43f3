/// The gains in dB in force, per channel and band, for meters.
struct GainMeter: ~Copyable {
  private let shape: ProcessorShape
  private let board: LevelBoard

  /// The target gains and the motions towards them, `[channel][band vector]`.
  private let bases: UnsafeMutablePointer<Float>
  private let motions: UnsafeMutablePointer<GainMotion>
  /// One channel's gains on their way, or before a change.
  private let moved: UnsafeMutablePointer<Float>

  init(shape: ProcessorShape, board: LevelBoard) {
    self.shape = shape
    self.board = board
    bases = .filled(0, count: shape.channelCount * shape.bandVectors * 4)
    motions = .filled(GainMotion(), count: shape.channelCount * shape.bandVectors)
    moved = .filled(0, count: shape.bandVectors * 4)
  }

  deinit {
    bases.deallocate()
    motions.deallocate()
    moved.deallocate()
  }

  /// Starts a transition to the fixed gains of `slot`, or to `targets` where gains depend on level.
  @_noLocks @_noAllocation
  mutating func startTransition(
    _ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains, _ restart: MotionRestart
  ) {
    for channel in 0..<shape.channelCount {
      let base = bases + channel &* shape.bandVectors &* 4
      SampleOperations.move(UnsafePointer(base), to: moved, count: shape.bandVectors &* 4)
      takeTargets(slot, targets, channel)
      for vector in 0..<shape.bandVectors {
        let change = base.float4(at: vector &* 4) - moved.float4(at: vector &* 4)
        motions[channel &* shape.bandVectors &+ vector].restart(restart, change: change)
      }
    }
  }

  /// Publishes the gains at a point of a transition.
  @_noLocks @_noAllocation
  mutating func show(
    _ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains, _ point: TransitionPoint
  ) {
    for channel in 0..<shape.channelCount {
      let base = bases + channel &* shape.bandVectors &* 4
      if !point.isWaiting { takeTargets(slot, targets, channel) }
      guard let time = point.time else {
        board.writeGains(UnsafePointer(base), channel: channel)
        continue
      }
      for vector in 0..<shape.bandVectors {
        let distance = motions[channel &* shape.bandVectors &+ vector].distance(at: time)
        moved.setFloat4(base.float4(at: vector &* 4) + distance, at: vector &* 4)
      }
      board.writeGains(UnsafePointer(moved), channel: channel)
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private func takeTargets(
    _ slot: UnsafeMutablePointer<SettingsSlot>, _ targets: TargetGains, _ channel: Int
  ) {
    let isLevelDependent = slot.pointee.channels[channel].isLevelDependent
    let reached = isLevelDependent ? targets.reached : UnsafePointer(slot.pointee.reachedGains)
    let requested = isLevelDependent ? targets.bands : UnsafePointer(slot.pointee.gains)
    let offset = channel &* shape.bandCount
    SampleOperations.move(
      reached + offset, to: bases + channel &* shape.bandVectors &* 4, count: shape.bandCount)
    board.writeTargets(requested + offset, channel: channel)
  }
}
