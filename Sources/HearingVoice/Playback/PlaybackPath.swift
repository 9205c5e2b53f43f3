internal import HearingDSP
internal import HearingBuffers
import Synchronization

/// The signal path to the loudspeaker. The path processes the far voice for the listener, adds the
/// ducked other audio, and limits the sum.
struct PlaybackPath: ~Copyable {
  /// The render side of the processor for the far voice. The `VoiceProcessor` retains this
  /// processor.
  private let farProcessor: BandGainRenderer?
  private var detector: VoiceActivityDetector
  /// Lowers other audio.
  var ducker: OtherAudioDucker
  /// Whether somebody talks at the other end. The ducker uses this state.
  private var farTalk = VoiceState()

  /// One limiter for each channel of playback.
  private let limiters: OwnedRow<OutputLimiter>

  /// The mean of the far voice's channels, for the voice detector.
  private let farMix = OwnedRow<Float>.filled(0, count: UplinkRun.capacity)
  /// The memory for the samples of `channels`.
  private let samples = OwnedRow<Float>.filled(0, count: 4 * UplinkRun.capacity)
  /// The two channels of the far voice, and then the two channels of playback.
  private let channels: OwnedRow<Row<Float>>
  private var far: Row<Row<Float>> { channels.row }
  private var playback: Row<Row<Float>> { channels.from(2) }

  private let referenceMemory = OwnedRow<Float>.filled(0, count: PlaybackRows.memorySize)
  /// The playback signal, which is the reference of the echo canceller.
  var reference: PlaybackRows { PlaybackRows(referenceMemory.row) }
  /// The decision whether the last 10 ms frame of the far voice contains a voice. If the last call
  /// of `process` did not complete a 10 ms frame, the decision is nil.
  private(set) var decision: VoiceActivityDetector.Decision?

  init(sampleRate: Double, farProcessor: BandGainRenderer?) throws(VoiceFailure) {
    let detector = try VoiceActivityDetector(sampleRate: sampleRate)
    let ducker = try OtherAudioDucker(spec: ProcessingSpec(sampleRate: sampleRate, channelCount: 2))
    self.farProcessor = farProcessor
    self.detector = detector
    self.ducker = ducker
    limiters = .filled(OutputLimiter(sampleRate: sampleRate), count: 2)
    let (row, capacity) = (samples.row, UplinkRun.capacity)
    channels = OwnedRow(count: 4) { row.part(from: $0 * capacity, count: capacity) }
  }

  /// The number of samples per channel until the end of the current 10 ms frame.
  var framesLeft: Int { detector.framesLeft }

  /// Processes one block on the render thread of a host with two threads. Writes the reference for
  /// the capture thread to `link`.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  mutating func render(
    _ block: CallBlock.PlaybackBlock, frameCount: Int, ducking: OtherAudioDuckingConfiguration,
    link: Row<HostLink>
  ) {
    ducker.configuration = ducking
    var done = 0
    while done < frameCount {
      let count = min(framesLeft, frameCount - done)
      process(block, from: done, count: count)
      link[0].write(reference, count: count)
      write(block, from: done, count: count)
      done += count
      if let decision {
        link[0].add(isFarVoice: decision.isVoice)
        duck(isNearTalking: link[0].isNearTalking.load(ordering: .relaxed) && !link[0].isUncaptured)
      }
    }
    guard frameCount > 0 else { return }
    link[0].duckingGain.store(ducker.gain, ordering: .relaxed)
    link[0].duckingTarget.store(ducker.targetGain, ordering: .relaxed)
  }

  /// Updates the ducking. Call this function at the end of each 10 ms frame.
  mutating func duck(isNearTalking: Bool) {
    if let decision { _ = farTalk.add(isVoice: decision.isVoice) }
    ducker.isSomebodyTalking = isNearTalking || farTalk.isTalking
  }

  /// Computes the playback and the reference for `count` samples of a block, from index `start` on.
  mutating func process(_ block: CallBlock.PlaybackBlock, from start: Int, count: Int) {
    for channel in 0..<2 {
      CallBlock.receive(block.farVoice[channel].from(start), to: far[channel], count: count)
      CallBlock.receive(block.otherAudio[channel].from(start), to: playback[channel], count: count)
    }
    CallBlock.average(far[0], far[1], to: farMix.row, count: count)
    decision = detector.process(farMix.row, frameCount: count)
    farProcessor?.process(far, frameCount: count)
    ducker.process(playback, frameCount: count)
    for channel in 0..<2 {
      let (voice, sum) = (far[channel], playback[channel])
      for index in 0..<count { sum[index] += voice[index] }
      // If there is no processor for the far voice, the ceiling is full scale.
      let ceiling = farProcessor?.ceiling(channel: channel) ?? 1
      limiters[channel].limit(sum, count: count, ceiling: ceiling)
    }
    reference.set(left: playback[0], right: playback[1], count: count)
  }

  /// Copies playback to the block's output.
  func write(_ block: CallBlock.PlaybackBlock, from start: Int, count: Int) {
    for channel in 0..<2 {
      CallBlock.copy(playback[channel], to: block.target[channel].from(start), count: count)
    }
  }

  /// Resets the playback path. The settings do not change.
  mutating func reset() {
    detector.reset()
    ducker.reset()
    ducker.isSomebodyTalking = false
    farTalk.reset()
    farProcessor?.reset()
    for channel in 0..<2 { limiters[channel].reset() }
    decision = nil
  }
}

extension OutputLimiter {
  /// Limits samples in place. The limiter runs only if it would change the samples.
  mutating func limit(_ samples: Row<Float>, count: Int, ceiling: Float) {
    let peak = SampleOperations.peak(samples, count: count)
    guard isNeeded(peak: peak, ceiling: ceiling) else { return }
    process(samples, count: count, ceiling: ceiling)
  }
}
