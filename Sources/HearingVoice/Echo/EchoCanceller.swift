/// Takes out of a microphone's signal what it hears of the loudspeaker.
///
///     var canceller = try EchoCanceller(sampleRate: 16_000)
///     canceller.process(microphone, reference: playback, frameCount: 160)  // on the audio thread
///     let isNearTalk = power(of: microphone) > 2 * canceller.residualEchoPower
///
/// It learns the way from loudspeaker to microphone while it listens, keeps what it knows while
/// somebody talks at the same time, and notices when the room changes. No latency: the output
/// belongs to the microphone frame that came in. Blocks may have any number of frames, also
/// changing; the result is the same to the last bit. The filters adapt once in 8…16 ms, at the end
/// of a block counted from the first frame, so a call that completes such a block does most of the
/// work.
///
/// Sample rate and clock of microphone and reference must be one: two clocks that drift apart are
/// not followed, nor is a loudspeaker that distorts. Echo that arrives later than the tail stays.
/// The signal is not touched in any other way: it is no noise suppressor, and what it leaves of the
/// echo is not hidden.
///
/// `process(_:reference:frameCount:)` and `reset()` never allocate, lock, count references or wait.
/// One thread at a time; a canceller may move to another thread.
///
/// Measured figures, and how the filters work: <doc:EchoCancellation>.
public struct EchoCanceller: ~Copyable {
  private let state: UnsafeMutablePointer<EchoState>

  /// Builds a canceller that knows nothing of the room yet.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second in Hz, 8,000…48,000.
  ///   - tail: how long after a sound was played its echo is still taken out, in seconds,
  ///     0.064…0.5; the delay of devices counts. Echo in a room with a reverberation of T seconds
  ///     falls by 60 dB in T, so no canceller takes out more than its tail holds. Cost grows with it.
  /// - Throws: ``Failure`` that names the value.
  public init(sampleRate: Double, tail: Double = 0.192) throws(Failure) {
    guard Self.supportedSampleRates.contains(sampleRate) else {
      throw .sampleRateOutOfRange(sampleRate)
    }
    guard Self.supportedTails.contains(tail) else { throw .tailOutOfRange(tail) }
    state = .allocate(capacity: 1)
    state.initialize(
      to: EchoState(
        plan: EchoPlan(sampleRate: sampleRate, tail: tail), sampleRate: sampleRate))
  }

  deinit {
    state.pointee.deallocate()
    state.deallocate()
  }

  /// Takes the echo out of one block of the microphone, in place.
  ///
  /// Samples that are no numbers, or above +60 dB of full scale, count as silence in either signal;
  /// so do those below −200 dB. While the reference is silent the microphone passes unchanged.
  ///
  /// - Parameters:
  ///   - microphone: the microphone's samples; the near voice and the echo.
  ///   - reference: the complete mix that is played at the same time, as one channel: all that the
  ///     loudspeaker sends out, behind every gain.
  ///   - frameCount: frames in the block, 0 or more; may differ from block to block.
  public mutating func process(
    _ microphone: UnsafeMutablePointer<Float>, reference: UnsafePointer<Float>, frameCount: Int
  ) {
    precondition(frameCount >= 0, "frameCount must not be negative: \(frameCount)")
    EchoRendering.process(state, microphone, reference: reference, frameCount: frameCount)
  }

  /// Forgets the room and the sound heard so far; the next frame counts as the first one.
  ///
  /// When only the sound stops, or a call ends, there is no need for it: the room is still the same.
  public mutating func reset() {
    state.pointee.clear()
  }
}

extension EchoCanceller {
  /// The sample rates in Hz that a canceller accepts.
  public static var supportedSampleRates: ClosedRange<Double> { 8_000...48_000 }

  /// The tails in seconds that a canceller accepts.
  public static var supportedTails: ClosedRange<Double> { 0.064...0.5 }

  /// The mean square of the echo that may still be in the output.
  ///
  /// On the safe side: with only the far voice to be heard it is at least the echo's in 99 of 100
  /// blocks of 8…16 ms; only for some 0.1 s after the room has changed it may be too low. It holds
  /// on for the time in which a room fades. Output clearly above it is near sound, if it is above the
  /// noise at the microphone: noise is no echo and not contained. It is renewed at the end of each
  /// such block; read it on the thread that processes. 0 while nothing was played.
  public var residualEchoPower: Float { state.pointee.residual.power }
}

// Sendable: the memory belongs to this value alone, which cannot be copied; whoever moves it to
// another thread leaves nothing behind.
extension EchoCanceller: @unchecked Sendable {}
