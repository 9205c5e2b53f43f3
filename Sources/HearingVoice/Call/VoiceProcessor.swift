public import HearingDSP
internal import HearingBuffers

/// Processes the sound of a voice call between microphone, loudspeaker and network.
///
///     let processor = try VoiceProcessor(sampleRate: 48_000, farProcessor: listenersProcessor)
///     processor.otherAudioDucking = OtherAudioDuckingConfiguration(enableAdvancedDucking: true)
///     processor.process(                                               // on the audio thread
///       microphone: microphone, farVoice: voices, otherAudio: music,
///       uplink: uplink, playback: playback, frameCount: 512)
///     processor.isMuted = true                                         // anywhere else
///
/// Playback is the far voice, processed for the listener if there is a processor for that, plus the
/// ducked other audio; a limiter holds the sum below the listener's ceiling. The uplink is the
/// microphone without the echo of that playback, or digital silence while it is muted. Voices at
/// both ends are detected, for ducking and for ``events``. The signal path:
///
/// 1. far voice → detector → `BandGainProcessor`, which may be left out;
/// 2. other audio → ``OtherAudioDucker``;
/// 3. their sum → limiter → playback, and as the reference → ``EchoCanceller``;
/// 4. microphone → canceller → detector → high-pass → suppression → gain → ``UplinkStage``s → mute
///    → uplink.
///
/// `otherAudio` is played without latency. The latency of the uplink depends on ``microphoneMode``:
/// 0 or 10 ms. The far voice has the `latency` of its processor, which is 0 unless its limiter
/// looks ahead.
///
/// The limit is the output ceiling of the far voice's processor, or full scale without one. A 10 ms
/// frame at the microphone counts as voice only if it is louder than −72 dBFS, and clearly louder
/// than the echo that the canceller may have left. A voice decision affects ducking from the next
/// frame.
///
/// Like a `BandGainProcessor`, it has two sides. The control side sets and reads values from any
/// thread, and never waits for rendering. The render side calls `process` and `reset()`, one thread
/// at a time; it never allocates, locks, counts references or waits. Blocks may have any number of
/// frames, which may change from block to block; the results and events are bit-identical. NaN,
/// infinities and samples beyond ±16 count as silence.
///
/// The delay of the devices, 0…500 ms, is found and compensated. A voice processor has no session
/// and no network code.
public final class VoiceProcessor: RenderEventSource {
  /// The sample rate of all signals in Hz.
  public let sampleRate: Double

  /// The far voice's channels: 1 or 2.
  public let farChannelCount: Int

  /// Processes the far voice for the listener; nil plays it unchanged.
  public let farProcessor: BandGainProcessor?

  /// Events of the kinds `RenderEvent.Kind.mutedTalker`, `RenderEvent.Kind.nearVoice`,
  /// `RenderEvent.Kind.farVoice` and `RenderEvent.Kind.ducking`.
  ///
  /// The first event is the initial gain of other audio, at frame 0.
  public let events: RenderEventRing

  let board: CallBoard
  private let kernel: OwnedRow<CallKernel>
  private let playback: OwnedRow<PlaybackPath>
  /// The render thread of a host with two threads.
  private let playbackSide: OwnedRow<PlaybackSide>
  let link: HostLink

  /// Builds a processor for a call, not muted, with plain ducking by the default amount.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second in Hz: ``supportedSampleRates``.
  ///   - farChannelCount: The far voice's channels, 1 or 2; one channel is played on both sides.
  ///   - farProcessor: Processes the far voice, with two channels at the same rate. Afterwards,
  ///     only the `VoiceProcessor` may call its render side; apply settings to `farProcessor` as
  ///     usual.
  ///   - uplinkStages: Additional processing of the uplink, in order.
  ///   - echoTail: The time after the start of the echo in which echo is removed, in seconds:
  ///     ``EchoCanceller/supportedTails``.
  ///   - deviceDelay: The delay from playback to the microphone in seconds, 0…0.5, if known: echo
  ///     cancellation starts with it. The processor always searches for the true delay.
  /// - Throws: ``VoiceFailure`` that names the value.
  public init(
    sampleRate: Double, farChannelCount: Int = 1, farProcessor: BandGainProcessor? = nil,
    uplinkStages: [UplinkStage] = [], echoTail: Double = 0.192, deviceDelay: Double = 0
  ) throws(VoiceFailure) {
    try VoiceFailure.check(sampleRate: sampleRate)
    try VoiceFailure.check(channelCount: farChannelCount, supported: 1...2)
    try VoiceFailure.check(delay: deviceDelay)
    let spec = ProcessingSpec(sampleRate: sampleRate, channelCount: 2)
    if let farProcessor, farProcessor.spec != spec {
      throw .farProcessorMismatch(expected: spec, actual: farProcessor.spec)
    }
    self.sampleRate = sampleRate
    self.farChannelCount = farChannelCount
    self.farProcessor = farProcessor
    let canceller = try EchoCanceller(sampleRate: sampleRate, tail: echoTail)
    let detector = try VoiceActivityDetector(sampleRate: sampleRate)
    let path = PlaybackPath(
      sampleRate: sampleRate, farChannelCount: farChannelCount,
      farProcessor: farProcessor?.renderer,
      detector: try VoiceActivityDetector(sampleRate: sampleRate),
      ducker: try OtherAudioDucker(spec: spec),
      capacity: CallKernel.runCapacity(sampleRate: sampleRate))
    events = RenderEventRing()
    board = CallBoard()
    board.path = EchoPath(delay: deviceDelay, tail: echoTail)
    link = HostLink(sampleRate: sampleRate)
    playback = OwnedRow(path)
    playbackSide = OwnedRow(PlaybackSide(playback.row, board: board, link: link))
    kernel = OwnedRow(
      CallKernel(
        sampleRate: sampleRate, board: board, events: events.writer, playback: playback.row,
        link: link, canceller: canceller, echoTail: echoTail, deviceDelay: deviceDelay,
        detector: detector, stages: uplinkStages))
  }

  deinit {
    unsafe link.deallocate()
    unsafe board.deallocate()
  }

  /// Processes one block. Render side.
  ///
  /// Outputs may share memory with inputs: the uplink with the microphone, playback with the far
  /// voice or the other audio.
  ///
  /// - Parameters:
  ///   - microphone: One channel.
  ///   - farVoice: A pointer to each of its ``farChannelCount`` channels.
  ///   - otherAudio: Pointers to left and right.
  ///   - uplink: Receives the samples for the other end.
  ///   - playback: Pointers to left and right; receives the samples for the loudspeaker.
  ///   - frameCount: Frames in the block, 0 or more; may differ from block to block.
  public func process(
    microphone: UnsafePointer<Float>, farVoice: UnsafePointer<UnsafeMutablePointer<Float>>,
    otherAudio: UnsafePointer<UnsafeMutablePointer<Float>>, uplink: UnsafeMutablePointer<Float>,
    playback: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    kernel[0].process(
      CallBlock(
        microphone: MicrophoneRows(unsafe Row(reading: microphone, count: frameCount)),
        uplink: unsafe Row(uplink, count: frameCount),
        playback: unsafe block(farVoice, otherAudio, playback, frameCount: frameCount)),
      frameCount: frameCount)
  }

  /// Processes one block of a microphone with two channels, of which it uses the mean. Render side.
  ///
  /// - Parameters:
  ///   - stereoMicrophone: Pointers to left and right; the uplink may share memory with either.
  ///   - farVoice: A pointer to each of its ``farChannelCount`` channels.
  ///   - otherAudio: Pointers to left and right.
  ///   - uplink: Receives the samples for the other end.
  ///   - playback: Pointers to left and right; receives the samples for the loudspeaker.
  ///   - frameCount: Frames in the block, 0 or more; may differ from block to block.
  public func process(
    stereoMicrophone: UnsafePointer<UnsafeMutablePointer<Float>>,
    farVoice: UnsafePointer<UnsafeMutablePointer<Float>>,
    otherAudio: UnsafePointer<UnsafeMutablePointer<Float>>, uplink: UnsafeMutablePointer<Float>,
    playback: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    kernel[0].process(
      CallBlock(
        microphone: unsafe stereo(stereoMicrophone, frameCount: frameCount),
        uplink: unsafe Row(uplink, count: frameCount),
        playback: unsafe block(farVoice, otherAudio, playback, frameCount: frameCount)),
      frameCount: frameCount)
  }

  /// Renders one block of playback, in a host that renders and captures in two threads.
  ///
  /// Use either this and ``capture(microphone:uplink:frameCount:)``, or
  /// ``process(microphone:farVoice:otherAudio:uplink:playback:frameCount:)``, until the next
  /// `reset()`. One thread at a time; it may run at the same time as `capture`, with other block
  /// sizes. The two clocks may differ by up to 300 ppm, and either thread may be late by up to
  /// 100 ms: ``hostAlignment``.
  ///
  /// - Parameters:
  ///   - farVoice: A pointer to each of its ``farChannelCount`` channels.
  ///   - otherAudio: Pointers to left and right.
  ///   - playback: Pointers to left and right; receives the samples for the loudspeaker.
  ///   - frameCount: Frames in the block, 0 or more; may differ from block to block.
  public func render(
    farVoice: UnsafePointer<UnsafeMutablePointer<Float>>,
    otherAudio: UnsafePointer<UnsafeMutablePointer<Float>>,
    playback: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    playbackSide[0].process(
      unsafe block(farVoice, otherAudio, playback, frameCount: frameCount),
      frameCount: frameCount)
  }

  @unsafe private func block(
    _ farVoice: UnsafePointer<UnsafeMutablePointer<Float>>,
    _ otherAudio: UnsafePointer<UnsafeMutablePointer<Float>>,
    _ target: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) -> CallBlock.PlaybackBlock {
    unsafe CallBlock.PlaybackBlock(
      farVoice: StereoRows(farVoice, channelCount: farChannelCount, count: frameCount),
      otherAudio: StereoRows(otherAudio, count: frameCount),
      target: StereoRows(target, count: frameCount))
  }

  /// Processes one block of the microphone, in a host that renders and captures in two threads.
  ///
  /// One thread at a time; it may run at the same time as
  /// ``render(farVoice:otherAudio:playback:frameCount:)``. It publishes all events;
  /// `RenderEvent.frame` counts frames of the microphone.
  ///
  /// - Parameters:
  ///   - microphone: One channel.
  ///   - uplink: Receives the samples for the other end; may be the microphone's memory.
  ///   - frameCount: Frames in the block, 0 or more; may differ from block to block.
  public func capture(
    microphone: UnsafePointer<Float>, uplink: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    kernel[0].capture(
      MicrophoneRows(unsafe Row(reading: microphone, count: frameCount)),
      to: unsafe Row(uplink, count: frameCount), frameCount: frameCount)
  }

  /// Processes one block of a microphone with two channels, of which it uses the mean, in a host
  /// that renders and captures in two threads.
  ///
  /// - Parameters:
  ///   - stereoMicrophone: Pointers to left and right.
  ///   - uplink: Receives the samples for the other end; may share memory with either channel.
  ///   - frameCount: Frames in the block, 0 or more; may differ from block to block.
  public func capture(
    stereoMicrophone: UnsafePointer<UnsafeMutablePointer<Float>>,
    uplink: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    kernel[0].capture(
      unsafe stereo(stereoMicrophone, frameCount: frameCount),
      to: unsafe Row(uplink, count: frameCount), frameCount: frameCount)
  }

  @unsafe private func stereo(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) -> MicrophoneRows {
    unsafe MicrophoneRows(
      Row(reading: channels[0], count: frameCount), Row(reading: channels[1], count: frameCount))
  }

  /// Resets the state of the call, including the echo path. Render side; in a host with two threads
  /// while neither renders nor captures.
  ///
  /// Settings stay. The next frame counts as the first one, also in events. Reported talk ends with
  /// an event that still uses the old frame count.
  public func reset() {
    kernel[0].reset()
    playbackSide[0].reset()
  }
}

extension VoiceProcessor {
  /// The sample rates in Hz that a voice processor supports.
  public static var supportedSampleRates: ClosedRange<Double> { VoiceFailure.callRates }
}

// Sendable: nothing changes after init, and the memory is divided between the sides. In a host with
// one thread, `kernel` belongs to the render side. In a host with two threads, `kernel` belongs to
// the thread that captures, `playbackSide` and `playback` to the one that renders. `board` and
// `link` consist of atomic words and of a ring whose samples they divide between the two threads;
// `events` divides its memory between its two ends. Memory is freed in deinit, when no other user
// is left.
extension VoiceProcessor: @unchecked Sendable {}
