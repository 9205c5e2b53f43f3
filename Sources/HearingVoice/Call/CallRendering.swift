internal import HearingDSP

/// The render side of a call: whole blocks in pieces that end with every 10 ms.
///
/// What is found out about voices takes effect where the 10 ms end that it is about, counted from
/// the first frame; so no result depends on how the sound is cut into blocks.
enum CallRendering {
  typealias State = UnsafeMutablePointer<CallState>

  static func render(_ state: State, _ block: CallBlock, frameCount: Int) {
    var done = 0
    while done < frameCount {
      takeUpSettings(state)
      // Until the detectors decide.
      let left = Int(state.pointee.nearDetector.frameEnd - state.pointee.position)
      let count = min(left, frameCount - done)
      playBack(state, block, from: done, count: count)
      sendUp(state, block, from: done, count: count)
      done += count
      state.pointee.position += Int64(count)
      if count == left { finishFrame(state) }
    }
    if frameCount > 0 { show(state) }
  }

  /// Far voice and other audio to playback.
  private static func playBack(_ state: State, _ block: CallBlock, from start: Int, count: Int) {
    let far = state.pointee.far
    let other = state.pointee.other
    for channel in 0..<2 {
      let source = min(channel, state.pointee.farChannelCount - 1)
      receive(block.farVoice[source] + start, to: far[channel], count: count)
      receive(block.otherAudio[channel] + start, to: other[channel], count: count)
    }
    average(far[0], far[1], to: state.pointee.farVoiceMix, count: count)
    state.pointee.farDetector.process(state.pointee.farVoiceMix, frameCount: count) { decision in
      hearFar(state, decision)
    }
    if let processor = state.pointee.farProcessor {
      processor.process(UnsafePointer(far), frameCount: count)
    }
    state.pointee.ducker.process(UnsafePointer(other), frameCount: count)
    for channel in 0..<2 { add(far[channel], to: other[channel], count: count) }
    average(other[0], other[1], to: state.pointee.playbackMix, count: count)
    measure(state.pointee.playbackMix, count: count, into: &state.pointee.playbackEnergy)
  }

  /// Microphone to uplink; then both outputs are written, when nothing more is read.
  private static func sendUp(_ state: State, _ block: CallBlock, from start: Int, count: Int) {
    let microphone = state.pointee.microphone
    receive(block.microphone + start, to: microphone, count: count)
    state.pointee.canceller.process(
      microphone, reference: state.pointee.playbackMix, frameCount: count)
    state.pointee.nearDetector.process(microphone, frameCount: count) { decision in
      hearNear(state, decision)
    }
    for index in 0..<state.pointee.stageCount {
      let stage = state.pointee.stages + index
      stage.pointee.process(stage.pointee.context, microphone, count)
    }
    state.pointee.mute.process(microphone, count: count)
    (block.uplink + start).update(from: microphone, count: count)
    for channel in 0..<2 {
      (block.playback[channel] + start).update(from: state.pointee.other[channel], count: count)
    }
  }

  @_noLocks @_noAllocation
  private static func hearFar(_ state: State, _ decision: VoiceActivityDetector.Decision) {
    _ = state.pointee.farVoice.take(isVoice: decision.isVoice)
    if let change = state.pointee.farWatch.take(isVoice: decision.isVoice) {
      tell(
        state, .farVoice, change, frame: decision.frame, state.pointee.settings.periods.detection)
    }
  }

  private static func hearNear(_ state: State, _ decision: VoiceActivityDetector.Decision) {
    let isVoice = decision.isVoice && isAboveEcho(state, decision)
    _ = state.pointee.nearVoice.take(isVoice: isVoice)
    if let change = state.pointee.nearWatch.take(isVoice: isVoice) {
      tell(
        state, .nearVoice, change, frame: decision.frame, state.pointee.settings.periods.detection)
    }
    if let change = state.pointee.mutedTalker.take(isVoice: isVoice) {
      tell(state, .mutedTalker, change, frame: decision.frame, state.pointee.settings.periods.mute)
    }
  }

  /// Whether there is clearly more than may be left of the echo: the canceller says how much, but
  /// never more than playback can cause.
  private static func isAboveEcho(
    _ state: State, _ decision: VoiceActivityDetector.Decision
  ) -> Bool {
    let power = Float4(repeating: decision.level / decibelsPerOctaveOfPower).powerOfTwo[0]
    let greatest = loudestPlayback(state) * greatestEchoGain
    return power > min(state.pointee.canceller.residualEchoPower, greatest) * clearly
  }

  /// The power of playback in the 10 ms under way, or what may still sound of earlier ones.
  @_noLocks @_noAllocation
  private static func loudestPlayback(_ state: State) -> Float {
    max(framePower(state), state.pointee.playbackEnvelope)
  }

  /// The power of playback in the 10 ms under way, once they are over.
  @_noLocks @_noAllocation
  private static func framePower(_ state: State) -> Float {
    state.pointee.playbackEnergy * Float(100 / state.pointee.sampleRate)
  }

  /// No microphone hears its loudspeaker louder than it is played by more than 30 dB of power.
  private static var greatestEchoGain: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1_000 }
  }

  /// What is left of power after 10 ms in a room with a reverberation time of 0.6 s: −1 dB.
  private static var dying: Float {
    @_noLocks @_noAllocation @inline(__always) get { 0.794 }
  }

  /// 10 · log10(2).
  private static var decibelsPerOctaveOfPower: Float {
    @_noLocks @_noAllocation @inline(__always) get { 3.010_299_96 }
  }

  /// How many times the echo that may be left a voice must have: 6 dB.
  private static var clearly: Float {
    @_noLocks @_noAllocation @inline(__always) get { 4 }
  }

  @_noLocks @_noAllocation
  private static func tell(
    _ state: State, _ kind: RenderEvent.Kind, _ change: VoiceState.Change, frame: Int64,
    _ period: UInt32
  ) {
    state.pointee.events.publish(
      RenderEvent(kind, frame: frame, change: change, period: period))
  }

  /// Tells that talk under way is over, and ends the watches.
  @_noLocks @_noAllocation
  private static func endTalk(_ state: State) {
    let (periods, frame) = (state.pointee.settings.periods, state.pointee.position)
    if state.pointee.mutedTalker.isTalking {
      tell(state, .mutedTalker, .ended, frame: frame, periods.mute)
    }
    if state.pointee.nearWatch.isTalking {
      tell(state, .nearVoice, .ended, frame: frame, periods.detection)
    }
    if state.pointee.farWatch.isTalking {
      tell(state, .farVoice, .ended, frame: frame, periods.detection)
    }
    state.pointee.mutedTalker.end()
    state.pointee.nearWatch.end()
    state.pointee.farWatch.end()
  }

  /// Puts what the control side wants in force: before the first frame without a ramp.
  @_noLocks @_noAllocation
  private static func takeUpSettings(_ state: State) {
    let isFirst = !state.pointee.hasBegun
    let word = state.pointee.board.settingsWord
    guard isFirst || word != state.pointee.settingsWord else { return }
    state.pointee.settingsWord = word
    let settings = VoiceSettings(word: word)
    if settings.periods.mute != state.pointee.settings.periods.mute || isFirst {
      // What went before belongs to another mute, even if there was an unmuting nobody saw.
      state.pointee.mutedTalker.end()
      if settings.isMuted { state.pointee.mutedTalker.begin() }
    }
    if settings.periods.detection != state.pointee.settings.periods.detection || isFirst {
      state.pointee.nearWatch.end()
      state.pointee.farWatch.end()
      if settings.detectsVoiceActivity {
        state.pointee.nearWatch.begin()
        state.pointee.farWatch.begin()
      }
    }
    state.pointee.mute.isMuted = settings.isMuted
    state.pointee.ducker.configuration = settings.ducking
    state.pointee.settings = settings
    guard isFirst else { return }
    state.pointee.hasBegun = true
    state.pointee.mute.settle()
    tellDucking(state, Float(-settings.ducking.amount(whileSomebodyTalks: false)))
  }

  /// Ends 10 ms: from the next frame on ducking follows what they have shown.
  @_noLocks @_noAllocation
  private static func finishFrame(_ state: State) {
    state.pointee.ducker.isSomebodyTalking =
      state.pointee.nearVoice.isTalking || state.pointee.farVoice.isTalking
    let envelope = max(framePower(state), state.pointee.playbackEnvelope * dying)
    state.pointee.playbackEnvelope = envelope < 1e-20 ? 0 : envelope
    state.pointee.playbackEnergy = 0
    let gain = state.pointee.ducker.gainAimedAt
    if gain != state.pointee.toldDuckingGain { tellDucking(state, gain) }
  }

  @_noLocks @_noAllocation
  private static func tellDucking(_ state: State, _ gain: Float) {
    state.pointee.toldDuckingGain = gain
    state.pointee.events.publish(
      RenderEvent(.ducking, frame: state.pointee.position, value: Double(gain)))
  }

  @_noLocks @_noAllocation
  private static func show(_ state: State) {
    var report = VoiceReport()
    report.isTalkingWhileMuted = state.pointee.mutedTalker.isTalking
    report.isNearVoiceActive = state.pointee.nearWatch.isTalking
    report.isFarVoiceActive = state.pointee.farWatch.isTalking
    report.periods = state.pointee.settings.periods
    state.pointee.board.show(report, duckingGain: state.pointee.ducker.gain)
  }

  /// Forgets the sound: the next frame counts as the first.
  static func reset(_ state: State) {
    if state.pointee.hasBegun {
      endTalk(state)
      show(state)
    }
    state.pointee.nearDetector.reset()
    state.pointee.farDetector.reset()
    state.pointee.canceller.reset()
    state.pointee.ducker.reset()
    state.pointee.ducker.isSomebodyTalking = false
    if let processor = state.pointee.farProcessor { processor.reset() }
    state.pointee.nearVoice.reset()
    state.pointee.farVoice.reset()
    state.pointee.playbackEnergy = 0
    state.pointee.playbackEnvelope = 0
    state.pointee.hasBegun = false
    state.pointee.position = 0
  }

  /// Anything beyond (24 dB above full scale) is broken.
  private static var greatestSample: Float {
    @_noLocks @_noAllocation @inline(__always) get { 16 }
  }

  /// Copies what arrives; what is no sound becomes silence.
  @_noLocks @_noAllocation @inline(__always)
  private static func receive(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    SampleGuard.copy(
      source, to: target, count: count, least: SampleGuard.trace,
      most: greatestSample)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func average(
    _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>,
    to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    for index in 0..<count { target[index] = 0.5 * (one[index] + other[index]) }
  }

  /// Adds squares up one after the other, so that the sum is the same however sound is cut.
  @_noLocks @_noAllocation @inline(__always)
  private static func measure(
    _ samples: UnsafePointer<Float>, count: Int, into energy: inout Float
  ) {
    for index in 0..<count { energy += samples[index] * samples[index] }
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func add(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    for index in 0..<count { target[index] += source[index] }
  }
}
