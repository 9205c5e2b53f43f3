public import HearingDSP

/// Joins what a voice call needs between microphone, loudspeaker and network.
///
///     let processor = try VoiceProcessor(sampleRate: 48_000, farProcessor: listenersProcessor)
///     processor.otherAudioDucking = OtherAudioDuckingConfiguration(enableAdvancedDucking: true)
///     processor.process(                                               // on the audio thread
///       microphone: microphone, farVoice: voices, otherAudio: music,
///       uplink: uplink, playback: playback, frameCount: 512)
///     processor.isMuted = true                                         // anywhere else
///
/// Playback is the far voice, processed for the listener if there is a processor for that, plus the
/// other audio, lowered. The uplink is the microphone without the echo of that playback, or digital
/// silence while it is muted. On the way it is found out who talks, for ducking and for whoever
/// listens to ``events``. Between the ends:
///
/// 1. far voice → detector → ``BandGainProcessor``, which may be left out;
/// 2. other audio → ``OtherAudioDucker``;
/// 3. their sum → playback, and as the reference → ``EchoCanceller``;
/// 4. microphone → canceller → detector → ``UplinkStage``s → mute → uplink.
///
/// Neither uplink nor other audio lags behind what comes in; in playback the far voice does, by the
/// `latency` of its processor, which is 0 unless that looks ahead.
///
/// A frame at the microphone counts as voice only where it is clearly louder than the echo that the
/// canceller may have left. Ducking follows the voices of 10 ms from the frame after them.
///
/// Two sides use it, as they do a ``BandGainProcessor``. The control side sets and queries, from any
/// thread, without ever waiting for rendering. The render side calls `process` and `reset()`, one
/// thread at a time; it never allocates, locks, counts references or waits. Blocks may have any
/// number of frames, also changing; the results, events included, are the same to the last bit.
/// Samples that are no numbers, or beyond ±16, are taken for silence.
///
/// It carries no session, sends nothing over a network, and corrects no clocks: microphone and
/// playback must run in step, the delay between them included in the echo's tail.
public final class VoiceProcessor: RenderEventSource {
  /// Frames a second, of everything.
  public let sampleRate: Double

  /// The far voice's channels: 1 or 2.
  public let farChannelCount: Int

  /// Processes the far voice for the listener; nil: it is played as it comes.
  public let farProcessor: BandGainProcessor?

  /// What happens: ``RenderEvent/Kind/mutedTalker``, ``RenderEvent/Kind/nearVoice``,
  /// ``RenderEvent/Kind/farVoice``, ``RenderEvent/Kind/ducking``.
  ///
  /// The first event is the gain with which other audio begins, at frame 0.
  public let events: RenderEventRing

  let board: CallBoard
  private let state: UnsafeMutablePointer<CallState>

  /// Builds a processor for a call: not muted, plain ducking by the default amount.
  ///
  /// - Parameters:
  ///   - sampleRate: 8,000…48,000 Hz.
  ///   - farChannelCount: The far voice's channels, 1 or 2; one is played on both sides.
  ///   - farProcessor: Processes the far voice, with two channels at the same rate. Its render side
  ///     belongs to this processor from now on; settings are applied to it as ever.
  ///   - uplinkStages: What else the uplink goes through, in order.
  ///   - echoTail: How long the loudspeaker is heard in the microphone, the delay between the two
  ///     included, in seconds: ``EchoCanceller/supportedTails``.
  /// - Throws: ``Failure`` that names the value.
  public init(
    sampleRate: Double, farChannelCount: Int = 1, farProcessor: BandGainProcessor? = nil,
    uplinkStages: [UplinkStage] = [], echoTail: Double = 0.192
  ) throws(Failure) {
    guard Self.supportedSampleRates.contains(sampleRate) else {
      throw .sampleRateOutOfRange(sampleRate)
    }
    guard (1...2).contains(farChannelCount) else {
      throw .farChannelCountOutOfRange(farChannelCount)
    }
    let playback = ProcessingSpec(sampleRate: sampleRate, channelCount: 2)
    if let farProcessor, farProcessor.spec != playback {
      throw .farProcessorMismatch(expected: playback, actual: farProcessor.spec)
    }
    self.sampleRate = sampleRate
    self.farChannelCount = farChannelCount
    self.farProcessor = farProcessor
    let canceller = try Self.canceller(sampleRate: sampleRate, tail: echoTail)
    let nearDetector = try Self.detector(sampleRate: sampleRate)
    let farDetector = try Self.detector(sampleRate: sampleRate)
    let ducker = try Self.ducker(playback)
    events = RenderEventRing()
    board = CallBoard()
    state = .allocate(capacity: 1)
    state.initialize(
      to: CallState(
        sampleRate: sampleRate, farChannelCount: farChannelCount, board: board,
        events: events.writer, farProcessor: farProcessor?.renderer, stages: uplinkStages,
        nearDetector: nearDetector, farDetector: farDetector, canceller: canceller, ducker: ducker))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    board.deallocate()
  }

  /// Processes one block. Render side.
  ///
  /// Outputs may lie where inputs do: the uplink in place of the microphone, playback in place of
  /// the far voice or the other audio.
  ///
  /// - Parameters:
  ///   - microphone: its samples.
  ///   - farVoice: a pointer to each of its ``farChannelCount`` channels.
  ///   - otherAudio: pointers to left and right.
  ///   - uplink: receives what goes to the other end.
  ///   - playback: pointers to left and right, which receive what is to be heard.
  ///   - frameCount: frames in the block, 0 or more; may differ from block to block.
  public func process(
    microphone: UnsafePointer<Float>, farVoice: UnsafePointer<UnsafeMutablePointer<Float>>,
    otherAudio: UnsafePointer<UnsafeMutablePointer<Float>>, uplink: UnsafeMutablePointer<Float>,
    playback: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    CallRendering.render(
      state,
      CallBlock(
        microphone: microphone, farVoice: farVoice, otherAudio: otherAudio, uplink: uplink,
        playback: playback), frameCount: frameCount)
  }

  /// Forgets the call so far, the room included. Render side, or while nothing renders.
  ///
  /// Settings stay; the next frame counts as the first one, and is the one that events count from.
  /// Talk that was told of ends, with an event that still counts from the first frame before.
  public func reset() {
    CallRendering.reset(state)
  }
}

extension VoiceProcessor {
  /// The sample rates in Hz that a voice processor accepts.
  public static let supportedSampleRates: ClosedRange<Double> = 8_000...48_000

  private static func canceller(
    sampleRate: Double, tail: Double
  ) throws(Failure) -> EchoCanceller {
    do {
      return try EchoCanceller(sampleRate: sampleRate, tail: tail)
    } catch {
      throw .echoTailOutOfRange(tail)
    }
  }

  private static func detector(sampleRate: Double) throws(Failure) -> VoiceActivityDetector {
    do {
      return try VoiceActivityDetector(sampleRate: sampleRate)
    } catch {
      throw .sampleRateOutOfRange(sampleRate)
    }
  }

  private static func ducker(_ spec: ProcessingSpec) throws(Failure) -> OtherAudioDucker {
    do {
      return try OtherAudioDucker(spec: spec)
    } catch {
      throw .sampleRateOutOfRange(spec.sampleRate)
    }
  }
}

// Sendable: nothing is changed after init. What the pointers lead to is divided: `state` belongs to
// the render side, which the caller keeps to one thread at a time; `board` is made of atomic words;
// `events` divides its memory between its two ends. Memory is freed in deinit, when nobody is left.
extension VoiceProcessor: @unchecked Sendable {}
