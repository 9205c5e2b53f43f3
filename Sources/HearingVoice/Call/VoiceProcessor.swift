public import HearingDSP
internal import HearingBuffers

/// Processes the audio of a voice call between the microphone, the loudspeaker and the network.
///
///     let processor = try VoiceProcessor(sampleRate: 48_000, farProcessor: listenersProcessor)
///     processor.otherAudioDucking = OtherAudioDuckingConfiguration(enableAdvancedDucking: true)
///     processor.process(                                               // on the audio thread
///       microphone: microphone, farVoice: voices, otherAudio: music,
///       uplink: uplink, playback: playback, frameCount: 512)
///     processor.isMuted = true                                         // on any thread
///
/// The far voice is the voice from the other end of the call. Playback is the sum of the far voice
/// and the ducked other audio. An optional ``farProcessor`` processes the far voice for the
/// listener. A limiter keeps playback at or below a ceiling. The uplink is the microphone signal
/// without the echo of the playback. While the microphone is muted, the uplink is digital silence.
/// The processor detects voices at both ends. The ducking and ``events`` use these voice decisions.
/// The signal path has four parts:
///
/// 1. far voice → detector → `BandGainProcessor` (optional);
/// 2. other audio → ``OtherAudioDucker``;
/// 3. sum of the results of 1 and 2 → limiter → playback (also the reference of the
///    ``EchoCanceller``);
/// 4. microphone → high-pass → canceller → detector → suppression → gain → ``UplinkStage``s → mute
///    → uplink.
///
/// Other audio is played without latency. The latency of the uplink is 0 or 10 ms, depending on
/// ``microphoneMode``. The latency of the far voice is the `latency` of the ``farProcessor``. The
/// latency of the far voice is 0 if the limiter of the ``farProcessor`` uses no look-ahead.
///
/// The ceiling of playback is the output ceiling of the ``farProcessor``, or full scale if there is
/// no ``farProcessor``. A 10 ms frame of the microphone signal does not count as voice in two
/// cases: the level of the frame is at most −72 dBFS, or the frame may be echo. A voice decision
/// affects ducking from the next 10 ms frame on.
///
/// Like a `BandGainProcessor`, a voice processor has a control side and a render side. The control
/// side consists of the properties. The render side consists of the methods that process audio. On
/// the control side, any thread may set and read properties without waiting for the render side. On
/// the render side, only one thread at a time may call `process` and `reset()`. The methods
/// `process` and `reset()` never allocate, lock, count references or wait. Blocks may have any
/// number of frames, and the number may change from block to block. Results and events are
/// bit-identical for all block sizes. NaN, infinities and samples beyond ±16 count as silence.
///
/// The processor measures the delay from playback to the microphone, and compensates for this
/// delay. The delay may be 0…500 ms. The processor contains no audio session and no network code.
public final class VoiceProcessor {
  /// The sample rate of all signals in Hz.
  public let sampleRate: Double

  /// The number of channels of the far voice: 1 or 2.
  public let farChannelCount: Int

  /// The processor of the far voice for the listener. If `farProcessor` is nil, the far voice is
  /// played unchanged.
  public let farProcessor: BandGainProcessor?

  /// The events of the kinds `RenderEvent.Kind.mutedTalker`, `RenderEvent.Kind.nearVoice`,
  /// `RenderEvent.Kind.farVoice` and `RenderEvent.Kind.ducking`.
  ///
  /// The first event has the frame number 0, and reports the initial gain of other audio.
  public let events: RenderEventRing

  let board: OwnedRow<CallBoard>
  private let kernel: OwnedRow<CallKernel>
  private let playback: OwnedRow<PlaybackPath>
  let link: OwnedRow<HostLink>

  /// Creates a processor for a call. Initially, the microphone is not muted, and other audio is
  /// lowered by the constant default amount.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in Hz, within ``supportedSampleRates``.
  ///   - farChannelCount: The number of channels of the far voice, 1 or 2. A single channel is
  ///     played on both sides.
  ///   - farProcessor: Processes the far voice. `farProcessor` must have two channels and the
  ///     sample rate of the call. After this initializer, only the `VoiceProcessor` may use the
  ///     render side of `farProcessor`. The app may still apply settings to `farProcessor`.
  ///   - uplinkStages: Additional stages of the uplink, in the order of processing.
  ///   - echoTail: The length in seconds of the echo that is removed, counted from the start of the
  ///     echo. The tail must be within ``EchoCanceller/supportedTails``.
  ///   - deviceDelay: The known delay from playback to the microphone in seconds, 0…0.5. Use 0 if
  ///     the delay is not known. Echo cancellation starts with `deviceDelay`. During the call, the
  ///     processor searches for the true delay.
  /// - Throws: ``VoiceFailure`` if a value is out of range, or if `farProcessor` does not match the
  ///   call.
  public init(
    sampleRate: Double, farChannelCount: Int = 1, farProcessor: BandGainProcessor? = nil,
    uplinkStages: [UplinkStage] = [], echoTail: Double = 0.192, deviceDelay: Double = 0
  ) throws(VoiceFailure) {
    try VoiceFailure.check(sampleRate: sampleRate)
    try VoiceFailure.check(channelCount: farChannelCount, supported: 1...2)
    try (0...0.5).check(deviceDelay, VoiceFailure.delayOutOfRange)
    try VoiceFailure.tails.check(echoTail, VoiceFailure.tailOutOfRange)
    let spec = ProcessingSpec(sampleRate: sampleRate, channelCount: 2)
    if let farProcessor, farProcessor.spec != spec {
      throw .farProcessorMismatch(expected: spec, actual: farProcessor.spec)
    }
    self.sampleRate = sampleRate
    self.farChannelCount = farChannelCount
    self.farProcessor = farProcessor
    let detector = try VoiceActivityDetector(sampleRate: sampleRate)
    let path = try PlaybackPath(sampleRate: sampleRate, farProcessor: farProcessor?.renderer)
    events = RenderEventRing()
    board = OwnedRow(CallBoard(path: EchoPath(delay: deviceDelay, tail: echoTail)))
    link = OwnedRow(HostLink(sampleRate: sampleRate))
    playback = OwnedRow(path)
    kernel = OwnedRow(
      CallKernel(
        sampleRate: sampleRate, board: board.row, events: events.writer, playback: playback.row,
        link: link.row, echoTail: echoTail, deviceDelay: deviceDelay, detector: detector,
        stages: uplinkStages))
  }

  /// Processes one block. Call this method on the render side.
  ///
  /// The uplink may be in the same memory as the microphone. Playback may be in the same memory as
  /// the far voice or the other audio.
  ///
  /// - Parameters:
  ///   - microphone: The samples of the microphone, one channel.
  ///   - farVoice: Pointers to the ``farChannelCount`` channels of the far voice.
  ///   - otherAudio: Pointers to the left and the right channel of other audio.
  ///   - uplink: The memory for the samples that are sent to the other end of the call.
  ///   - playback: Pointers to the memory for the left and the right channel of the loudspeaker
  ///     signal.
  ///   - frameCount: The number of frames in the block, 0 or more. The number may differ from block
  ///     to block.
  public func process(
    microphone: UnsafePointer<Float>, farVoice: UnsafePointer<UnsafeMutablePointer<Float>>,
    otherAudio: UnsafePointer<UnsafeMutablePointer<Float>>, uplink: UnsafeMutablePointer<Float>,
    playback: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    unsafe process(
      StereoRows(Row(reading: microphone, count: frameCount)), uplink,
      block(farVoice, otherAudio, playback, frameCount: frameCount), frameCount: frameCount)
  }

  /// Processes one block of a microphone with two channels. The mean of the two channels is used.
  /// Call this method on the render side.
  ///
  /// - Parameters:
  ///   - stereoMicrophone: Pointers to the left and the right channel of the microphone. The uplink
  ///     may be in the same memory as one channel of the microphone.
  ///   - farVoice: Pointers to the ``farChannelCount`` channels of the far voice.
  ///   - otherAudio: Pointers to the left and the right channel of other audio.
  ///   - uplink: The memory for the samples that are sent to the other end of the call.
  ///   - playback: Pointers to the memory for the left and the right channel of the loudspeaker
  ///     signal.
  ///   - frameCount: The number of frames in the block, 0 or more. The number may differ from block
  ///     to block.
  public func process(
    stereoMicrophone: UnsafePointer<UnsafeMutablePointer<Float>>,
    farVoice: UnsafePointer<UnsafeMutablePointer<Float>>,
    otherAudio: UnsafePointer<UnsafeMutablePointer<Float>>, uplink: UnsafeMutablePointer<Float>,
    playback: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    unsafe process(
      StereoRows(stereoMicrophone, count: frameCount), uplink,
      block(farVoice, otherAudio, playback, frameCount: frameCount), frameCount: frameCount)
  }

  /// Renders one block of playback. This method is for a host that renders and captures on two
  /// threads.
  ///
  /// Use `render` together with ``capture(microphone:uplink:frameCount:)``. Until the next
  /// `reset()`, do not call
  /// ``process(microphone:farVoice:otherAudio:uplink:playback:frameCount:)``. Only one thread at a
  /// time may call `render`. Another thread may call `capture` at the same time. The block sizes of
  /// the two threads may differ. The clocks of the two threads may differ by up to 300 ppm. Each
  /// thread may be late by up to 100 ms. The property ``echoReport`` contains the measured drift
  /// and lag.
  ///
  /// - Parameters:
  ///   - farVoice: Pointers to the ``farChannelCount`` channels of the far voice.
  ///   - otherAudio: Pointers to the left and the right channel of other audio.
  ///   - playback: Pointers to the memory for the left and the right channel of the loudspeaker
  ///     signal.
  ///   - frameCount: The number of frames in the block, 0 or more. The number may differ from block
  ///     to block.
  public func render(
    farVoice: UnsafePointer<UnsafeMutablePointer<Float>>,
    otherAudio: UnsafePointer<UnsafeMutablePointer<Float>>,
    playback: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    self.playback[0].render(
      unsafe block(farVoice, otherAudio, playback, frameCount: frameCount),
      frameCount: frameCount, ducking: board[0].settings.value.ducking, link: link.row)
  }

  @unsafe private func process(
    _ microphone: StereoRows, _ uplink: UnsafeMutablePointer<Float>,
    _ playback: CallBlock.PlaybackBlock?, frameCount: Int
  ) {
    let block = unsafe CallBlock(
      microphone: microphone, uplink: Row(uplink, count: frameCount), playback: playback)
    kernel[0].process(block, frameCount: frameCount)
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

  /// Processes one block of the microphone signal. This method is for a host that renders and
  /// captures on two threads.
  ///
  /// Only one thread at a time may call `capture`. Another thread may call
  /// ``render(farVoice:otherAudio:playback:frameCount:)`` at the same time. `capture` publishes all
  /// events. `RenderEvent.frame` counts frames of the microphone.
  ///
  /// - Parameters:
  ///   - microphone: The samples of the microphone, one channel.
  ///   - uplink: The memory for the samples that are sent to the other end of the call. The uplink
  ///     may be in the same memory as the microphone.
  ///   - frameCount: The number of frames in the block, 0 or more. The number may differ from block
  ///     to block.
  public func capture(
    microphone: UnsafePointer<Float>, uplink: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    unsafe process(
      StereoRows(Row(reading: microphone, count: frameCount)), uplink, nil, frameCount: frameCount)
  }

  /// Processes one block of a microphone with two channels. The mean of the two channels is used.
  /// This method is for a host that renders and captures on two threads.
  ///
  /// - Parameters:
  ///   - stereoMicrophone: Pointers to the left and the right channel of the microphone.
  ///   - uplink: The memory for the samples that are sent to the other end of the call. The uplink
  ///     may be in the same memory as one channel of the microphone.
  ///   - frameCount: The number of frames in the block, 0 or more. The number may differ from block
  ///     to block.
  public func capture(
    stereoMicrophone: UnsafePointer<UnsafeMutablePointer<Float>>,
    uplink: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    unsafe process(
      StereoRows(stereoMicrophone, count: frameCount), uplink, nil, frameCount: frameCount)
  }

  /// Resets the state of the call, including the echo path. Call this method on the render side. In
  /// a host with two threads, call this method only while no thread renders or captures.
  ///
  /// The settings do not change. After the reset, the next frame has the number 0. If somebody is
  /// talking at the time of the reset, an event reports the end of the talk. The frame number of
  /// this event is the number of frames that were processed before the reset.
  public func reset() { kernel[0].reset() }

  /// The sample rates in Hz that a voice processor supports.
  public static var supportedSampleRates: ClosedRange<Double> { VoiceFailure.callRates }
}

// The class is Sendable because its properties are constant, and each part of the memory belongs to
// one thread at a time. In a host with one thread, `kernel` and `playback` belong to the render
// side. In a host with two threads, `kernel` belongs to the thread that captures, and `playback`
// belongs to the thread that renders. `board` consists of atomic words. `link` consists of atomic
// words and a ring. Each sample in the ring belongs to one of the two threads. Each element in the
// ring of `events` belongs either to the writer or to the reader.
extension VoiceProcessor: @unchecked Sendable {}
