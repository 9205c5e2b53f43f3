internal import HearingDSP
internal import HearingBuffers

/// Removes the echo of the loudspeaker from a microphone signal.
///
///     var canceller = try EchoCanceller(sampleRate: 16_000)
///     canceller.process(microphone, reference: playback, frameCount: 160)  // on the audio thread
///     let isNearTalk = power(of: microphone) > 2 * canceller.residualEchoPower
///
/// It adapts to the echo path while it runs, keeps its estimate during double talk, and detects
/// when the room changes. It has no latency. Blocks may have any number of frames, which may change
/// from block to block; the result is bit-identical. The filters adapt every 8…16 ms, counted from
/// the first frame, so the call that completes such a block takes the most time.
///
/// Microphone and reference must have the same sample rate and clock. The canceller compensates
/// neither clock drift nor distortion of the loudspeaker, and does not remove echo later than the
/// tail. It is linear: it suppresses neither noise nor residual echo.
///
/// `process(_:reference:frameCount:)` and `reset()` never allocate, lock, count references or wait.
/// One thread at a time; a canceller may move to another thread.
///
/// Figures and method: <doc:EchoCancellation>.
public struct EchoCanceller: ~Copyable {
  private(set) var filter: LinearCanceller

  /// Builds a canceller without knowledge of the room.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second in Hz: ``supportedSampleRates``.
  ///   - tail: The longest delay at which echo is removed, in seconds: ``supportedTails``. It
  ///     includes the delay of the devices. Echo in a room with a reverberation time of T falls by
  ///     60 dB in T seconds, and a canceller removes only the echo within its tail. A longer tail
  ///     costs more.
  /// - Throws: ``VoiceFailure`` that names a sample rate or tail out of range.
  public init(sampleRate: Double, tail: Double = 0.192) throws(VoiceFailure) {
    try VoiceFailure.check(sampleRate: sampleRate)
    try VoiceFailure.check(tail: tail)
    filter = LinearCanceller(
      plan: EchoPlan(sampleRate: sampleRate, tail: tail), sampleRate: sampleRate)
  }

  /// Removes the echo from one block of the microphone, in place.
  ///
  /// Samples that are NaN, infinite, above +60 dBFS or below −200 dBFS count as 0 in either signal.
  /// While the reference is silent the microphone passes unchanged.
  ///
  /// - Parameters:
  ///   - microphone: The microphone's samples: near sound and echo.
  ///   - reference: Everything that the loudspeaker plays at the same time, as one channel, after
  ///     all gains.
  ///   - frameCount: Frames in the block, 0 or more; may differ from block to block.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func process(
    _ microphone: UnsafeMutablePointer<Float>, reference: UnsafePointer<Float>, frameCount: Int
  ) {
    precondition(frameCount >= 0, "frameCount must not be negative: \(frameCount)")
    filter.process(
      unsafe Row(microphone, count: frameCount),
      reference: unsafe Row(reading: reference, count: frameCount), frameCount: frameCount)
  }

  /// Removes the echo, and writes the estimate of the echo to `echo`.
  mutating func process(
    _ microphone: Row<Float>, reference: Row<Float>,
    echo: Row<Float>, frameCount: Int
  ) {
    filter.process(microphone, reference: reference, echo: echo, frameCount: frameCount)
  }

  /// Resets the canceller and sets its tail to `partitions` blocks, at most those of the
  /// original tail.
  mutating func restart(partitions: Int) {
    filter.restart(partitions: partitions)
  }

  /// Resets the filters and the signal history; the next frame counts as the first one.
  ///
  /// Not needed after a pause in playback or between calls in the same room: what the canceller has
  /// learned about the room remains valid.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func reset() {
    filter.reset()
  }
}

extension EchoCanceller {
  /// The sample rates in Hz that a canceller supports.
  public static var supportedSampleRates: ClosedRange<Double> { VoiceFailure.callRates }

  /// The tails in seconds that a canceller supports.
  public static var supportedTails: ClosedRange<Double> { VoiceFailure.tails }

  /// An upper estimate of the mean square of the residual echo in the output; 0 before anything was
  /// played.
  ///
  /// With far voice only, the true value exceeds the estimate in at most 1 of 100 blocks of 8…16
  /// ms; for about 0.1 s after a change of the room, the estimate may be too low. It decays like
  /// sound in a room. Output clearly above it is near sound or noise, which the estimate does not
  /// include. It is updated at the end of each block; read it on the thread that processes.
  public var residualEchoPower: Float { filter.residual.power }
}

// Sendable: the memory belongs only to this value, which cannot be copied. After a move to another
// thread, the old thread has no access to it.
extension EchoCanceller: @unchecked Sendable {}
