internal import HearingDSP
internal import HearingBuffers

/// Removes the echo of the loudspeaker from a microphone signal.
///
///     var canceller = try EchoCanceller(sampleRate: 16_000)
///     canceller.process(microphone, reference: playback, frameCount: 160)  // on the audio thread
///
/// The canceller estimates the echo path, which is the path from the loudspeaker to the microphone.
/// The estimate stays valid while both ends talk at the same time. When the room changes, the
/// canceller adapts to the new echo path. The canceller has no latency. Blocks may have any number
/// of frames, and the number may change from block to block. The result is bit-identical for all
/// block sizes. From the first frame on, the filters adapt every 8…16 ms, depending on the sample
/// rate. If the filters adapt during a call of `process`, this call needs more time.
///
/// The microphone signal and the reference (the loudspeaker signal) must have the same sample rate
/// and clock. The canceller does not compensate for clock drift or for distortion of the
/// loudspeaker. If the delay of an echo is longer than the `tail` of the initializer, this echo
/// remains in the output. The canceller is linear. Therefore the canceller does not suppress noise
/// or residual echo.
///
/// `process(_:reference:frameCount:)` and `reset()` never allocate, lock, count references or wait.
/// Only one thread at a time may use a canceller. A canceller may move to another thread.
///
/// <doc:EchoCancellation> describes the method and its performance.
public struct EchoCanceller: ~Copyable {
  var filter: LinearCanceller
  /// Scratch memory for the mean and the difference of two loudspeaker signals.
  private let rows = OwnedRow<Float>.filled(0, count: PlaybackRows.memorySize)

  /// Creates a canceller without knowledge of the room.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in Hz, within ``supportedSampleRates``.
  ///   - tail: The maximum delay of an echo in seconds, within ``supportedTails``. Echo with a
  ///     longer delay is not removed. The delay of an echo includes the delay of the audio devices.
  ///     In a room with a reverberation time of 0.5 s, the echo decays by 60 dB in 0.5 s. A longer
  ///     tail needs more processor time.
  /// - Throws: ``VoiceFailure`` if the sample rate or the tail is out of range.
  public init(sampleRate: Double, tail: Double = 0.192) throws(VoiceFailure) {
    try VoiceFailure.check(sampleRate: sampleRate)
    try VoiceFailure.tails.check(tail, VoiceFailure.tailOutOfRange)
    filter = LinearCanceller(
      plan: EchoPlan(sampleRate: sampleRate, tail: tail), sampleRate: sampleRate)
  }

  /// Removes the echo from one block of the microphone signal, in place.
  ///
  /// Samples that are NaN, infinite, above +60 dBFS or below −200 dBFS count as 0 in both signals.
  /// While the reference is silent, the microphone signal passes unchanged.
  ///
  /// - Parameters:
  ///   - microphone: The samples of the microphone: near-end signal and echo.
  ///   - reference: The complete signal that the loudspeaker plays at the same time: one channel,
  ///     after all gains.
  ///   - frameCount: The number of frames in the block, 0 or more. The number may differ from block
  ///     to block.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func process(
    _ microphone: UnsafeMutablePointer<Float>, reference: UnsafePointer<Float>, frameCount: Int
  ) {
    unsafe process(microphone, left: reference, right: reference, frameCount: frameCount)
  }

  /// Removes the echo of two loudspeakers from one block of the microphone signal, in place.
  ///
  /// The canceller estimates the path from each loudspeaker to the microphone. As long as both
  /// channels are equal, the result is the same as with ``process(_:reference:frameCount:)``. From
  /// the first difference between the channels until the next ``reset()``, this method needs about
  /// twice as much processor time.
  ///
  /// - Parameters:
  ///   - microphone: The samples of the microphone: near-end signal and echo.
  ///   - left: The complete signal that the left loudspeaker plays at the same time, after all
  ///     gains.
  ///   - right: The complete signal that the right loudspeaker plays at the same time.
  ///   - frameCount: The number of frames in the block, 0 or more.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func process(
    _ microphone: UnsafeMutablePointer<Float>, left: UnsafePointer<Float>,
    right: UnsafePointer<Float>, frameCount: Int
  ) {
    precondition(frameCount >= 0, "frameCount must not be negative: \(frameCount)")
    let reference = PlaybackRows(rows.row)
    let samples = unsafe Row(microphone, count: frameCount)
    let (left, right) = unsafe (
      Row(reading: left, count: frameCount), Row(reading: right, count: frameCount)
    )
    for start in stride(from: 0, to: frameCount, by: UplinkRun.capacity) {
      let count = min(UplinkRun.capacity, frameCount - start)
      LinearCanceller.receive(left.from(start), to: reference.mean, count: count)
      LinearCanceller.receive(right.from(start), to: reference.difference, count: count)
      reference.set(left: reference.mean, right: reference.difference, count: count)
      filter.process(samples.from(start), reference: reference, frameCount: count)
    }
  }

  /// Resets the filters and the signal history. After the reset, the next frame counts as the first
  /// frame.
  ///
  /// The estimate of the echo path remains valid after a pause in playback, and between calls in
  /// the same room. Therefore no reset is necessary in these cases.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func reset() { filter.reset() }

  /// The sample rates in Hz that a canceller supports.
  public static var supportedSampleRates: ClosedRange<Double> { VoiceFailure.callRates }

  /// The tails in seconds that a canceller supports.
  public static var supportedTails: ClosedRange<Double> { VoiceFailure.tails }
}

// The type is Sendable: the memory belongs only to this value, which cannot be copied. If the value
// moves to another thread, the old thread has no access to the memory.
extension EchoCanceller: @unchecked Sendable {}
