internal import HearingBuffers

// Operations between two runs: applying settings, computing gains from levels, and detecting
// silence. A run is a sequence of consecutive frames. All stages process one run before the next
// run begins.
extension RenderKernel {
  /// Applies the newest settings without a transition. Called before the first frame is processed.
  mutating func begin() {
    _ = handoff[0].receive()
    let slot = handoff[0].front
    gainGeneration = slot[0].gainGeneration
    compressor.begin(slot)
    if !compressor.isActive { hideLevels() }
    let targets = compressor.targets
    equalizer.begin(slot, targets)
    gain.begin(slot, targets)
    transition.finish()
    transition.isFollowing = compressor.isActive
    headphone.begin(slot)
    meter.show(slot, targets, transition.point(frames: subBlock, offset: 0))
    fade.settle(isOn: slot[0].isEnabled)
    hasBegun = true
    board.writeGeneration(slot[0].generation)
  }

  /// The maximum length of the next run in frames. A run is a sequence of frames that all stages
  /// process together.
  ///
  /// If gains are changing or new settings have been published, the run ends at the end of the
  /// current sub-block (at most 1 ms). If no gain is changing and no new settings have been
  /// published, the run ends at the end of the current chunk of 256 frames. After a fade, the
  /// limiter may be bypassed. Therefore a run never continues beyond the end of a fade.
  func runLength(offset: Int) -> Int {
    let edge =
      transition.isRamped || (offset != 0 && handoff[0].hasNewValue)
      ? subBlock - offset : RenderTiming.chunk - framesSinceEdge(of: RenderTiming.chunk)
    guard let remaining = fade.remaining else { return edge }
    return min(edge, remaining)
  }

  /// Applies new settings and starts the gain ramps of a sub-block (at most 1 ms). Called at the
  /// start of the sub-block.
  @inline(__always)
  mutating func startSubBlock() {
    if handoff[0].hasNewValue && isEdge(of: timing.subBlock) { adoptSettings() }
    let isWindowEdge = isEdge(of: timing.window)
    if compressor.isActive && isWindowEdge {
      compressor.startWindow(handoff[0].front, correctsAll: !transition.isSettled)
    }
    if transition.isWaiting && !compressor.isSettling { startTransition() }
    let isFollowing = transition.isFollowing && transition.isSettled
    subBlock =
      transition.isMoving
      ? timing.transitionStep : isFollowing && isWindowEdge ? timing.window : timing.subBlock
    if transition.isRamped { startRamps() }
  }

  /// Ends the gain ramps of a sub-block. If the end of the sub-block is also the end of a window
  /// (at most 2 ms), measures the band levels. Called at the end of the sub-block.
  mutating func finishSubBlock() {
    if transition.isRamped {
      equalizer.finishRamp(transition.shape)
      gain.finishRamp(transition.shape)
      transition.advance()
    }
    if compressor.isActive && isEdge(of: timing.window) {
      compressor.finishWindow(handoff[0].front)
      showLevels()
    }
  }

  /// Clears the filter states of silent channels, and applies a new headphone correction. Every 50
  /// to 75 ms, also starts a new period of peak measurement. Called at the end of a chunk of 256
  /// frames.
  mutating func finishChunk() {
    headphone.endChunk(handoff[0].front)
    peakChunk += 1
    let endsPeriod = peakChunk >= timing.peakChunks
    if endsPeriod { peakChunk = 0 }
    for channel in 0..<shape.channelCount {
      equalizer.endChunk(channel, isSilent: memory.meters[channel].endChunk())
      if endsPeriod { memory.meters[channel].endPeriod() }
    }
  }

  func isEdge(of frames: Int) -> Bool {
    framesSinceEdge(of: frames) == 0
  }

  /// The number of frames that were rendered since the last reset, modulo `frames`. The number
  /// `frames` must be a power of two.
  func framesSinceEdge(of frames: Int) -> Int {
    Int(truncatingIfNeeded: position) & (frames - 1)
  }

  /// Applies the newest settings. If the new settings start the measurement of levels, the
  /// transition to the new gains begins only after the measured levels have settled.
  private mutating func adoptSettings() {
    guard handoff[0].receive() else { return }
    let slot = handoff[0].front
    fade.isOn = slot[0].isEnabled
    if slot[0].gainGeneration != gainGeneration {
      gainGeneration = slot[0].gainGeneration
      let wasFollowing = compressor.isActive
      compressor.adopt(slot)
      if wasFollowing && !compressor.isActive { hideLevels() }
      transition.isFollowing = compressor.isActive
      transition.isWaiting = true
    }
    board.writeGeneration(slot[0].generation)
  }

  /// Starts a transition to the new gains. The transition begins with the current gains and with
  /// the current slopes of the gains.
  private mutating func startTransition() {
    let (slot, targets) = (handoff[0].front, compressor.targets)
    guard
      compressor.isActive || transition.isMoving || equalizer.differs(from: slot)
        || gain.differs(from: slot)
    else {
      transition.finish()
      return
    }
    let progress = Float(framesSinceEdge(of: timing.window)) / Float(timing.window)
    let change = max(
      gain.maximumChange(slot, targets, windowProgress: progress),
      equalizer.maximumChange(slot, targets, windowProgress: progress))
    let restart = transition.start(maximumChange: change, windowProgress: progress)
    equalizer.startTransition(slot, targets, restart)
    gain.startTransition(slot, targets, restart)
    meter.startTransition(slot, targets, restart)
  }

  /// Starts the gain ramps of the current sub-block. A ramp ends at the end of the sub-block.
  private mutating func startRamps() {
    let (slot, targets) = (handoff[0].front, compressor.targets)
    let point = transition.point(frames: subBlock, offset: framesSinceEdge(of: timing.window))
    equalizer.startRamp(to: point, slot, targets)
    gain.startRamp(to: point, slot, targets)
    let end = framesSinceEdge(of: timing.subBlock) + subBlock
    if point.time == nil || end & (timing.subBlock - 1) == 0 {
      meter.show(slot, targets, point)
    }
  }

  /// Publishes the measured input levels for meters.
  private func showLevels() {
    for channel in 0..<shape.channelCount {
      board.write(.level, compressor.shownLevels(channel), channel: channel)
    }
  }

  /// Informs the meters that no input levels are measured.
  private func hideLevels() {
    for channel in 0..<shape.channelCount { board.hideLevels(channel: channel) }
  }

  /// Publishes peaks, limiter statistics and the number of invalid samples at the end of a block.
  ///
  /// - Parameter first: The number of frames that were rendered before the block.
  mutating func publishLevels(since first: Int64) {
    var rejected: UInt64 = 0
    for channel in 0..<shape.channelCount {
      let meter = memory.meters[channel]
      var statistics = limiter.statistics(channel)
      statistics.add(output.limiter.statistics)
      board.write(.inputPeak, meter.inputPeak, channel: channel)
      board.write(.outputPeak, meter.outputPeak, channel: channel)
      board.write(.limiterGain, statistics.gain, channel: channel)
      board.write(.minimumLimiterGain, statistics.minimumGain, channel: channel)
      board.write(.limitedFrames, statistics.limitedFrames, channel: channel)
      let count = meter.rejectedCount
      board.write(.rejectedSamples, count, channel: channel)
      rejected &+= count
    }
    if _slowPath(rejected != rejection.count) {
      let samples = Int(truncatingIfNeeded: position &- first) &* shape.channelCount
      rejection.endBlock(count: rejected, of: samples, at: first)
    }
  }
}
