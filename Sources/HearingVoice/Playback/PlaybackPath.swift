internal import HearingDSP
internal import HearingBuffers

/// The signal path to the loudspeaker. The path processes the far voice for the listener, adds the
/// ducked other audio, and limits the sum.
struct PlaybackPath: ~Copyable {
  /// The render side of the far voice's processor. The `VoiceProcessor` retains that processor.
  private let farProcessor: BandGainRenderer?
  private var detector: VoiceActivityDetector
  /// Lowers other audio.
  var ducker: OtherAudioDucker

  /// One limiter for each channel of playback.
  private let limiters: OwnedRow<OutputLimiter>

  /// The mean of the far voice's channels, for the voice detector.
  private let farMix = OwnedRow<Float>.filled(0, count: UplinkRun.capacity)
  /// The samples of `far`, followed by the samples of `playback`.
  private let samples = OwnedRow<Float>.filled(0, count: 4 * UplinkRun.capacity)
  /// The two channels of the far voice.
  private let far: OwnedRow<Row<Float>>
  /// The two channels of playback.
  private let playback: OwnedRow<Row<Float>>

  private let referenceMemory = OwnedRow<Float>.filled(0, count: PlaybackRows.memorySize)
  /// Playback as the reference of the echo canceller.
  var reference: PlaybackRows { PlaybackRows(referenceMemory.row) }
  /// The decision on the 10 ms frame that the last run completed. Nil if the run did not complete a
  /// frame.
  private(set) var decision: VoiceActivityDetector.Decision?

  init(sampleRate: Double, farProcessor: BandGainRenderer?) throws(VoiceFailure) {
    let detector = try VoiceActivityDetector(sampleRate: sampleRate)
    let ducker = try OtherAudioDucker(spec: ProcessingSpec(sampleRate: sampleRate, channelCount: 2))
    self.farProcessor = farProcessor
    self.detector = detector
    self.ducker = ducker
    limiters = .filled(OutputLimiter(sampleRate: sampleRate), count: 2)
    let (row, capacity) = (samples.row, UplinkRun.capacity)
    far = OwnedRow(count: 2) { row.part(from: $0 * capacity, count: capacity) }
    playback = OwnedRow(count: 2) { row.part(from: (2 + $0) * capacity, count: capacity) }
  }

  /// The number of frames until the end of the current 10 ms period.
  var framesLeft: Int { detector.framesLeft }

  /// The current gain of other audio in dB, and the gain at the end of the current transition.
  var duckingGain: (now: Float, target: Float) { (ducker.gain, ducker.targetGain) }

  /// Computes playback and reference for `count` frames of a block, starting at `start`.
  mutating func process(_ block: CallBlock.PlaybackBlock, from start: Int, count: Int) {
    for channel in 0..<2 {
      CallBlock.receive(
        block.farVoice[channel].from(start), to: far[channel], count: count)
      CallBlock.receive(
        block.otherAudio[channel].from(start), to: playback[channel], count: count)
    }
    CallBlock.average(far[0], far[1], to: farMix.row, count: count)
    decision = detector.process(farMix.row, frameCount: count)
    farProcessor?.process(far.row, frameCount: count)
    ducker.process(playback.row, frameCount: count)
    for channel in 0..<2 {
      let (voice, sum) = (far[channel], playback[channel])
      for index in 0..<count { sum[index] += voice[index] }
      limit(channel, count: count)
    }
    reference.set(left: playback[0], right: playback[1], count: count)
  }

  /// Limits the sum to the listener's ceiling, or to full scale if there is no far processor.
  private func limit(_ channel: Int, count: Int) {
    let ceiling = farProcessor?.ceiling(channel: channel) ?? 1
    let peak = SampleOperations.peak(playback[channel], count: count)
    guard limiters[channel].isNeeded(peak: peak, ceiling: ceiling) else { return }
    limiters[channel].process(playback[channel], count: count, ceiling: ceiling)
  }

  /// Copies playback to the block's output.
  func write(_ block: CallBlock.PlaybackBlock, from start: Int, count: Int) {
    for channel in 0..<2 {
      CallBlock.copy(playback[channel], to: block.target[channel].from(start), count: count)
    }
  }

  /// Returns to the state before the first frame. The settings do not change.
  mutating func reset() {
    detector.reset()
    ducker.reset()
    ducker.isSomebodyTalking = false
    farProcessor?.reset()
    for channel in 0..<2 { limiters[channel].reset() }
    decision = nil
  }
}
