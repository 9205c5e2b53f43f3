internal import HearingBuffers

/// Computes the current gains in dB of each channel and band, for meters.
struct GainMeter: ~Copyable {
  private let shape: ProcessorShape
  private let board: LevelBoard

  /// The gains as functions of time during a transition, `[channel][vector of four bands]`.
  private let motions: OwnedRow<GainMotion>
  /// Scratch memory for the gains of one channel in dB, `[band]`. The number of elements is rounded
  /// up to a multiple of four.
  private let gains: OwnedRow<Float>

  init(shape: ProcessorShape, board: LevelBoard) {
    self.shape = shape
    self.board = board
    motions = .filled(GainMotion(), count: shape.channelCount * shape.bandVectors)
    gains = .filled(0, count: shape.bandVectors * 4)
  }

  /// Starts a transition to new gains. The new gains of channels with fixed gains are in `slot`.
  /// The new gains of channels with level-dependent gains are in `targets`.
  mutating func startTransition(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ restart: MotionRestart
  ) {
    for channel in 0..<shape.channelCount {
      loadTargets(slot, targets, channel)
      for vector in 0..<shape.bandVectors {
        motions[channel &* shape.bandVectors &+ vector].restart(
          restart, to: gains.row.float4(at: vector &* 4))
      }
    }
  }

  /// Publishes the gains at one point in time of a transition.
  mutating func show(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ point: TransitionPoint
  ) {
    let gains = gains.row
    for channel in 0..<shape.channelCount {
      if !point.isWaiting { loadTargets(slot, targets, channel) }
      for vector in 0..<shape.bandVectors {
        let gain = motions[channel &* shape.bandVectors &+ vector].gains(
          at: point, to: gains.float4(at: vector &* 4))
        gains.setFloat4(gain, at: vector &* 4)
      }
      board.write(.gain, gains, channel: channel)
    }
  }

  /// Writes the gains in dB that a channel's filters reach at the band centres to the row `gains`.
  /// Also publishes the gains in dB that the settings request.
  private func loadTargets(
    _ slot: Row<SettingsSlot>, _ targets: TargetGains, _ channel: Int
  ) {
    let isLevelDependent = slot[0].compressor.channels.contains(channel)
    let reached = isLevelDependent ? targets.reached : slot[0].reachedGains.row
    let requested = isLevelDependent ? targets.bands : slot[0].bandGains.row
    let offset = channel &* shape.bandCount
    SampleOperations.move(reached.from(offset), to: gains.row, count: shape.bandCount)
    board.write(.target, requested.from(offset), channel: channel)
  }
}
