internal import HearingBuffers

/// The gains in dB in force, per channel and band, for meters.
struct GainMeter: ~Copyable {
  private let shape: ProcessorShape
  private let board: LevelBoard

  /// The target gains and the motions towards them, `[channel][band vector]`.
  private let bases: OwnedRow<Float>
  private let motions: OwnedRow<GainMotion>
  /// One channel's gains during a transition, or before a change.
  private let moved: OwnedRow<Float>

  init(shape: ProcessorShape, board: LevelBoard) {
    self.shape = shape
    self.board = board
    bases = .filled(0, count: shape.channelCount * shape.bandVectors * 4)
    motions = .filled(GainMotion(), count: shape.channelCount * shape.bandVectors)
    moved = .filled(0, count: shape.bandVectors * 4)
  }

  /// Starts a transition to the fixed gains of `slot`, or to `targets` where gains depend on level.
  mutating func startTransition(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ restart: MotionRestart
  ) {
    for channel in 0..<shape.channelCount {
      let base = bases.from(channel &* shape.bandVectors &* 4)
      SampleOperations.move(base, to: moved.row, count: shape.bandVectors &* 4)
      takeTargets(slot, targets, channel)
      for vector in 0..<shape.bandVectors {
        let change = base.float4(at: vector &* 4) - moved.float4(at: vector &* 4)
        motions[channel &* shape.bandVectors &+ vector].restart(restart, change: change)
      }
    }
  }

  /// Publishes the gains at a point of a transition.
  mutating func show(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ point: TransitionPoint
  ) {
    for channel in 0..<shape.channelCount {
      let base = bases.from(channel &* shape.bandVectors &* 4)
      if !point.isWaiting { takeTargets(slot, targets, channel) }
      guard let time = point.time else {
        board.writeGains(base, channel: channel)
        continue
      }
      for vector in 0..<shape.bandVectors {
        let distance = motions[channel &* shape.bandVectors &+ vector].distance(at: time)
        moved.setFloat4(base.float4(at: vector &* 4) + distance, at: vector &* 4)
      }
      board.writeGains(moved.row, channel: channel)
    }
  }

  @inline(__always)
  private func takeTargets(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ channel: Int
  ) {
    let isLevelDependent = slot[0].channels[channel].isLevelDependent
    let reached = isLevelDependent ? targets.reached : slot[0].reachedGains.row
    let requested = isLevelDependent ? targets.bands : slot[0].gains.row
    let offset = channel &* shape.bandCount
    SampleOperations.move(
      reached.from(offset), to: bases.from(channel &* shape.bandVectors &* 4),
      count: shape.bandCount)
    board.writeTargets(requested.from(offset), channel: channel)
  }
}
