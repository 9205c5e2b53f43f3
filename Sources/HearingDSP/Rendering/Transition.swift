/// How settings come into force: at once before the first frame, later along a smooth rise in dB.
enum Transition {
  /// Puts the newest settings in force at once, before the first frame.
  @_noLocks @_noAllocation
  static func begin(_ state: UnsafeMutablePointer<RenderState>) {
    _ = state.pointee.exchange.take()
    let slot = state.pointee.exchange.front
    let shape = state.pointee.shape
    state.pointee.gainGeneration = slot.pointee.gainGeneration
    state.pointee.isCompressing = slot.pointee.isLevelDependent
    if state.pointee.isCompressing {
      Compression.begin(state)
      // Nothing has been heard that levels would have to settle to.
      state.pointee.compression.settling = 0
    } else {
      hideLevels(state)
    }
    for channel in 0..<shape.channelCount {
      let own = state.pointee.channels + channel
      own.pointee.settings = slot.pointee.channels[channel]
      own.pointee.broadband = own.pointee.settings.broadband
      own.pointee.broadbandGain = own.pointee.settings.broadbandGain
      let isAimed = own.pointee.settings.isLevelDependent
      if isAimed {
        own.pointee.broadbandGain = own.pointee.broadbandAim
        own.pointee.broadband = Float4(repeating: own.pointee.broadbandGain).powerOfTwo[0]
      }
      let base = channel * shape.vectorsPerChannel
      for vector in base..<base + shape.vectorsPerChannel {
        let target =
          isAimed
          ? target(state, vector - base, gain: state.pointee.compression.aims[vector])
          : slot.pointee.sections[vector]
        state.pointee.sections[vector].now = target.coefficients
        state.pointee.motions[vector].reached = target.gain
      }
    }
    showGains(state, slot, share: 1)
    state.pointee.isEnabled = slot.pointee.isEnabled
    state.pointee.fadePosition = slot.pointee.isEnabled ? state.pointee.timing.fadeFrames : 0
    state.pointee.transitionStep =
      state.pointee.isCompressing ? state.pointee.timing.transitionSteps : nil
    state.pointee.hasBegun = true
    state.pointee.board.writeGeneration(slot.pointee.generation)
  }

  /// At a sub-block edge: takes up new settings and sets the course for the sub-block.
  @_noLocks @_noAllocation @inline(__always)
  static func startSubBlock(_ state: UnsafeMutablePointer<RenderState>) {
    if state.pointee.exchange.hasNews && isEdge(state, of: state.pointee.timing.subBlock) {
      takeUp(state)
    }
    if state.pointee.isCompressing && isWindowEdge(state) {
      Compression.remember(state)
      Compression.aim(state, correctsAll: !state.pointee.isSettled)
    }
    state.pointee.subBlock = length(state)
    if state.pointee.transitionStep == 0 && isMoving(state) { setPace(state) }
    if state.pointee.transitionStep != nil { head(state, step: nextStep(state)) }
  }

  /// At the end of a sub-block: the numbers aimed at are reached exactly.
  @_noLocks @_noAllocation @inline(__always)
  static func finishSubBlock(_ state: UnsafeMutablePointer<RenderState>) {
    if state.pointee.transitionStep != nil { arrive(state, step: nextStep(state)) }
    if state.pointee.isCompressing && isWindowEdge(state) {
      Compression.measure(state)
      showLevels(state)
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func isWindowEdge(_ state: UnsafeMutablePointer<RenderState>) -> Bool {
    isEdge(state, of: state.pointee.timing.window)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func isEdge(
    _ state: UnsafeMutablePointer<RenderState>, of frames: Int
  ) -> Bool {
    state.pointee.position & (frames - 1) == 0
  }

  /// Whether a transition goes on. While levels settle, it waits.
  @_noLocks @_noAllocation @inline(__always)
  private static func isMoving(_ state: UnsafeMutablePointer<RenderState>) -> Bool {
    if state.pointee.isSettled { return false }
    return !(state.pointee.isCompressing && state.pointee.compression.settling > 0)
  }

  /// Frames of the sub-block that begins.
  @_noLocks @_noAllocation @inline(__always)
  private static func length(_ state: UnsafeMutablePointer<RenderState>) -> Int {
    if isMoving(state) { return state.pointee.timing.motion }
    let isLong = state.pointee.isCompressing && state.pointee.isSettled && isWindowEdge(state)
    return isLong ? state.pointee.timing.window : state.pointee.timing.subBlock
  }

  /// The step of the transition with which the sub-block under way ends.
  @_noLocks @_noAllocation @inline(__always)
  private static func nextStep(_ state: UnsafeMutablePointer<RenderState>) -> Int {
    let step = state.pointee.transitionStep ?? 0
    guard isMoving(state) else { return step }
    return min(step + state.pointee.transitionPace, state.pointee.timing.transitionSteps)
  }

  /// Takes the newest settings up. If they bring other gains, a transition starts from wherever the
  /// last one is; otherwise it goes on.
  @_noLocks @_noAllocation
  private static func takeUp(_ state: UnsafeMutablePointer<RenderState>) {
    guard state.pointee.exchange.take() else { return }
    let slot = state.pointee.exchange.front
    for channel in 0..<state.pointee.shape.channelCount {
      state.pointee.channels[channel].settings = slot.pointee.channels[channel]
    }
    state.pointee.isEnabled = slot.pointee.isEnabled
    if slot.pointee.gainGeneration != state.pointee.gainGeneration {
      state.pointee.gainGeneration = slot.pointee.gainGeneration
      start(state)
    }
    state.pointee.board.writeGeneration(slot.pointee.generation)
  }

  /// Starts a transition from wherever the last one is.
  @_noLocks @_noAllocation
  private static func start(_ state: UnsafeMutablePointer<RenderState>) {
    let slot = state.pointee.exchange.front
    let shape = state.pointee.shape
    let wasCompressing = state.pointee.isCompressing
    let isCompressing = slot.pointee.isLevelDependent
    state.pointee.isCompressing = isCompressing
    if isCompressing {
      if wasCompressing { Compression.adopt(state) } else { Compression.begin(state) }
    } else if wasCompressing {
      hideLevels(state)
    }
    // Coefficients that follow levels never rest.
    var isChanged = isCompressing
    for channel in 0..<shape.channelCount {
      let own = state.pointee.channels + channel
      own.pointee.startBroadbandGain = own.pointee.broadbandGain
      isChanged = isChanged || own.pointee.settings.broadband != own.pointee.broadband
      let base = channel * shape.vectorsPerChannel
      for vector in base..<base + shape.vectorsPerChannel {
        let motion = state.pointee.motions + vector
        motion.pointee.start = motion.pointee.reached
        let end = slot.pointee.sections[vector].coefficients
        isChanged = isChanged || state.pointee.sections[vector].now.differs(from: end)
      }
    }
    let gainCount = shape.channelCount * shape.bandCount
    for index in 0..<gainCount {
      state.pointee.startGains[index] = state.pointee.gains[index]
    }
    state.pointee.transitionStep = isChanged ? 0 : nil
  }

  /// Gives a transition the time that its greatest change of gain asks for.
  @_noLocks @_noAllocation
  private static func setPace(_ state: UnsafeMutablePointer<RenderState>) {
    let change = greatestChange(state)
    state.pointee.transitionPace =
      change <= mostInTwentyMilliseconds ? 4 : change <= 2 * mostInTwentyMilliseconds ? 2 : 1
  }

  /// By how many dB the broadband gain or a section of any channel is to change at most.
  @_noLocks @_noAllocation
  private static func greatestChange(_ state: UnsafeMutablePointer<RenderState>) -> Float {
    let slot = state.pointee.exchange.front
    let shape = state.pointee.shape
    var broadest: Float = 0
    var greatest = Float4.zero
    for channel in 0..<shape.channelCount {
      let own = state.pointee.channels + channel
      let isAimed = own.pointee.settings.isLevelDependent
      let end = isAimed ? own.pointee.broadbandAim : own.pointee.settings.broadbandGain
      broadest = max(broadest, abs(end - own.pointee.startBroadbandGain))
      let base = channel * shape.vectorsPerChannel
      for vector in base..<base + shape.vectorsPerChannel {
        let end =
          isAimed
          ? state.pointee.compression.aims[vector] : slot.pointee.sections[vector].gain
        let change = (end - state.pointee.motions[vector].start).magnitude
        greatest = greatest.replacing(with: change, where: change .> greatest)
      }
    }
    let section = max(max(greatest[0], greatest[1]), max(greatest[2], greatest[3]))
    let decibelsPerOctave: Float = 6.020_6
    return max(broadest, 2 * section) * decibelsPerOctave
  }

  /// Aims at the point that the transition reaches after `step` steps.
  @_noLocks @_noAllocation
  private static func head(_ state: UnsafeMutablePointer<RenderState>, step: Int) {
    let slot = state.pointee.exchange.front
    let shape = state.pointee.shape
    let isLast = step >= state.pointee.timing.transitionSteps
    let share = state.pointee.transitionCurve[step]
    let stride = 1 / Float(state.pointee.subBlock)
    let reach = reach(state)
    for channel in 0..<shape.channelCount {
      let own = state.pointee.channels + channel
      let isAimed = own.pointee.settings.isLevelDependent
      let start = own.pointee.startBroadbandGain
      let past = own.pointee.pastBroadbandAim
      let end =
        isAimed
        ? past + (own.pointee.broadbandAim - past) * reach : own.pointee.settings.broadbandGain
      let gain = isLast ? end : start + (end - start) * share
      own.pointee.broadbandGain = gain
      own.pointee.nextBroadband =
        isLast && !isAimed
        ? own.pointee.settings.broadband : Float4(repeating: gain).powerOfTwo[0]
      let base = channel * shape.vectorsPerChannel
      for vector in base..<base + shape.vectorsPerChannel {
        let motion = state.pointee.motions + vector
        let next: LaneTarget
        if isLast && !isAimed {
          next = slot.pointee.sections[vector]
        } else {
          let past = state.pointee.compression.pastAims[vector]
          let end =
            isAimed
            ? past + (state.pointee.compression.aims[vector] - past) * reach
            : slot.pointee.sections[vector].gain
          let start = motion.pointee.start
          next = target(
            state, vector - base, gain: isLast ? end : start + (end - start) * share)
        }
        motion.pointee.next = next
        let sections = state.pointee.sections + vector
        sections.pointee.step = sections.pointee.now.step(to: next.coefficients, share: stride)
      }
    }
    let end = state.pointee.position + state.pointee.subBlock
    if isLast || end & (state.pointee.timing.subBlock - 1) == 0 {
      showGains(state, slot, share: isLast ? 1 : share)
    }
  }

  /// How far into the window the sub-block under way ends, 0…1.
  @_noLocks @_noAllocation @inline(__always)
  private static func reach(_ state: UnsafeMutablePointer<RenderState>) -> Float {
    let window = state.pointee.timing.window
    let start = state.pointee.position & (window - 1)
    let end = start + state.pointee.subBlock
    return end == window ? 1 : Float(end) / Float(window)
  }

  /// Sections of every channel's `vector` at `gain`.
  @_noLocks @_noAllocation @inline(__always)
  private static func target(
    _ state: UnsafeMutablePointer<RenderState>, _ vector: Int, gain: Float4
  ) -> LaneTarget {
    LaneTarget(
      gain: gain, coefficients: state.pointee.plans[vector].coefficients(gain: gain))
  }

  @_noLocks @_noAllocation
  private static func arrive(_ state: UnsafeMutablePointer<RenderState>, step: Int) {
    let shape = state.pointee.shape
    for channel in 0..<shape.channelCount {
      state.pointee.channels[channel].broadband = state.pointee.channels[channel].nextBroadband
      let base = channel * shape.vectorsPerChannel
      for vector in base..<base + shape.vectorsPerChannel {
        let motion = state.pointee.motions + vector
        state.pointee.sections[vector].now = motion.pointee.next.coefficients
        motion.pointee.reached = motion.pointee.next.gain
      }
    }
    if step < state.pointee.timing.transitionSteps {
      state.pointee.transitionStep = step
    } else if state.pointee.isCompressing {
      state.pointee.transitionStep = state.pointee.timing.transitionSteps
    } else {
      state.pointee.transitionStep = nil
    }
  }

  /// Tells the control side the gains in dB that are in force.
  @_noLocks @_noAllocation @inline(__always)
  private static func showGains(
    _ state: UnsafeMutablePointer<RenderState>, _ slot: UnsafeMutablePointer<SettingsSlot>,
    share: Float
  ) {
    let shape = state.pointee.shape
    for channel in 0..<shape.channelCount {
      let isAimed = slot.pointee.channels[channel].isLevelDependent
      let ends = isAimed ? state.pointee.compression.gains : slot.pointee.gains
      for band in 0..<shape.bandCount {
        let index = channel * shape.bandCount + band
        let start = state.pointee.startGains[index]
        let end = ends[index]
        let gain = share == 1 ? end : start + (end - start) * share
        state.pointee.gains[index] = gain
        state.pointee.board.writeGain(gain, channel: channel, band: band)
      }
    }
  }

  /// Tells the control side the input levels.
  @_noLocks @_noAllocation @inline(__always)
  private static func showLevels(_ state: UnsafeMutablePointer<RenderState>) {
    let shape = state.pointee.shape
    for channel in 0..<shape.channelCount {
      let levels = state.pointee.compression.shownLevels + channel * shape.bandVectors * 4
      for band in 0..<shape.bandCount {
        state.pointee.board.writeLevel(levels[band], channel: channel, band: band)
      }
    }
  }

  /// Tells the control side that levels are not measured.
  @_noLocks @_noAllocation
  private static func hideLevels(_ state: UnsafeMutablePointer<RenderState>) {
    let shape = state.pointee.shape
    for channel in 0..<shape.channelCount {
      for band in 0..<shape.bandCount {
        state.pointee.board.writeLevel(.nan, channel: channel, band: band)
      }
    }
  }

  /// Forgets the sound heard so far; the next frame is the first one.
  @_noLocks @_noAllocation
  static func reset(_ state: UnsafeMutablePointer<RenderState>) {
    let shape = state.pointee.shape
    for vector in 0..<shape.pairedChannelCount * shape.vectorsPerChannel {
      state.pointee.sections[vector].clear()
    }
    for channel in 0..<shape.channelCount { state.pointee.channels[channel].clear() }
    state.pointee.limiting.clear()
    state.pointee.position = 0
    state.pointee.hasBegun = false
    state.pointee.peakChunk = 0
    state.pointee.transitionStep = nil
  }

  /// In dB: the greatest change that has 20 ms. Up to twice as much has 40, and all beyond 80.
  private static var mostInTwentyMilliseconds: Float {
    @_noLocks @_noAllocation @inline(__always) get { 20.5 }
  }
}
