internal import HearingBuffers

/// Reduces sounds that are not speech in a microphone signal, for example steady noise, and the
/// noise of keyboards, dishes and motors.
///
///     var suppressor = try NoiseSuppressor(sampleRate: 48_000)
///     suppressor.strength = 0.5
///     suppressor.process(microphone, frameCount: 480)      // on the audio thread
///
/// A small recurrent neural network runs 200 times per second. In each of 39 frequency bands, the
/// network estimates how much of the signal is speech. Sounds that are not speech are reduced by up
/// to 40 dB. The voices of other people are reduced by at most about 12 dB. Music is reduced in the
/// same way as noise. The suppressor makes a call more comfortable. If many people talk in the
/// background, the suppressor does not make the talker's words easier to understand.
/// <doc:NoiseSuppression> lists the scores and the training material.
///
/// The latency is 10 ms. While ``strength`` is 0, the latency is 0. Blocks may have any number of
/// frames. The result is bit-identical for all block sizes. `process` and `reset` never allocate,
/// lock, count references or wait. Only one thread at a time may use a suppressor.
public struct NoiseSuppressor: ~Copyable {
  private var stage: SuppressionStage

  /// Creates a suppressor with the strength 1, which is the maximum.
  ///
  /// - Parameter sampleRate: The sample rate in Hz, 8,000…96,000.
  /// - Throws: ``VoiceFailure`` if the sample rate is out of range.
  public init(sampleRate: Double) throws(VoiceFailure) {
    try VoiceFailure.check(sampleRate: sampleRate)
    stage = SuppressionStage(sampleRate: sampleRate)
    stage.noiseSuppression = 1
  }

  /// The strength, 0…1. At strength 0, samples pass unchanged. At strength 1, noise is reduced by
  /// up to 40 dB. The default is 1. When the strength changes, the output cross-fades within 10 ms.
  public var strength: Double {
    get { Double(stage.noiseSuppression) }
    set {
      precondition((0...1).contains(newValue), "strength must be 0…1, not \(newValue)")
      stage.noiseSuppression = Float(newValue)
    }
  }

  /// The current latency in samples.
  public var latency: Int { stage.latency }

  /// Suppresses noise in one block, in place.
  ///
  /// NaN, infinities and samples beyond ±16 count as 0.
  ///
  /// - Parameters:
  ///   - samples: The samples of one channel.
  ///   - frameCount: The number of frames in the block, 0 or more.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func process(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) {
    precondition(frameCount >= 0, "frameCount must not be negative: \(frameCount)")
    let samples = unsafe Row(samples, count: frameCount)
    for start in stride(from: 0, to: frameCount, by: UplinkRun.capacity) {
      let count = min(UplinkRun.capacity, frameCount - start)
      CallBlock.receive(samples.from(start), to: samples.from(start), count: count)
      var run = UplinkRun(samples: samples.from(start), frameCount: count)
      stage.process(&run)
    }
  }

  /// Clears the noise estimate and the signal history. The strength does not change.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func reset() { stage.reset() }
}

// The type is Sendable: the memory belongs only to this value, which cannot be copied. If the value
// moves to another thread, the old thread has no access to the memory.
extension NoiseSuppressor: @unchecked Sendable {}
