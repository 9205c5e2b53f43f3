internal import HearingBuffers

/// Brings speech to a steady level.
///
///     var control = try GainControl(sampleRate: 48_000)
///     control.process(microphone, frameCount: 480)      // on the audio thread
///
/// Levels are in dB relative to an RMS of 1.0. Speech with a level of −45…−10 dB reaches an active
/// level (ITU-T P.56) of −18 dB after at most 2 s of speech. If the speech suddenly becomes louder,
/// the gain falls within 50 ms. If the speech becomes softer by up to 25 dB, the gain is within 3
/// dB of its final value after about 2 to 5 s of speech. After a larger change, the gain is within
/// 3 dB of its final value after up to about 6 s of speech. The gain changes only in 10 ms frames
/// that ``VoiceActivityDetector`` counts as voice. The gain rises only while ``VoiceState`` also
/// reports that somebody is talking. In pauses, the gain is constant. If the detector mistakes a
/// noise for a voice, the noise can lower the gain. Such a noise can raise the gain only if
/// ``VoiceState`` also counts the noise as talk. Gain control does not distinguish one talker from
/// another. In a pause of the talker, gain control also amplifies a soft voice in the background,
/// for example a voice on television. DC offset and rumble below 80 Hz are removed. No sample
/// exceeds −1 dBFS. Gain control is not suitable for music.
///
/// Gain control has no latency. Blocks may have any number of frames. The result is bit-identical
/// for all block sizes. `process` and `reset` never allocate, lock, count references or wait. Only
/// one thread at a time may use a `GainControl`.
public struct GainControl: ~Copyable {
  private var stage: GainStage
  private var detector: VoiceActivityDetector
  private var highPass: HighPassStage
  private var talk = VoiceState()

  /// Creates a gain control that is switched on, with a gain of 0 dB.
  ///
  /// - Parameter sampleRate: The sample rate in Hz, 8,000…96,000.
  /// - Throws: ``VoiceFailure`` if the sample rate is out of range.
  public init(sampleRate: Double) throws(VoiceFailure) {
    detector = try VoiceActivityDetector(sampleRate: sampleRate)
    stage = GainStage(sampleRate: sampleRate)
    highPass = HighPassStage(sampleRate: sampleRate)
    isEnabled = true
    reset()
  }

  /// Whether the level of speech is controlled. The default is true. While ``isEnabled`` is false,
  /// samples pass unchanged. A change starts a cross-fade of 10 ms. When gain control is switched
  /// on again, the gain starts at 0 dB.
  public var isEnabled: Bool {
    get { stage.fade.isOn }
    set { (stage.fade.isOn, highPass.fade.isOn) = (newValue, newValue) }
  }

  /// The gain in dB at the end of the last block. The gain of the limiter is not included. The gain
  /// is 0 while ``isEnabled`` is false.
  public var gain: Double { Double(stage.decibels) }

  /// Controls the level of speech in one block, in place.
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
    var done = 0
    while done < frameCount {
      let left = detector.framesLeft
      let count = min(left, frameCount - done)
      CallBlock.receive(samples.from(done), to: samples.from(done), count: count)
      let decision = detector.process(samples.from(done), frameCount: count)
      if let decision { _ = talk.add(isVoice: decision.isVoice) }
      var run = UplinkRun(
        samples: samples.from(done), frameCount: count, endsFrame: count == left,
        isNearVoice: decision?.isVoice == true, isTalking: talk.isTalking)
      highPass.process(&run)
      stage.process(&run)
      done += count
    }
  }

  /// Resets the gain to 0 dB and clears the signal history. ``isEnabled`` does not change.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func reset() {
    stage.reset()
    highPass.reset()
    detector.reset()
    talk.reset()
  }
}

// The type is Sendable: the memory belongs only to this value, which cannot be copied. If the value
// moves to another thread, the old thread has no access to the memory.
extension GainControl: @unchecked Sendable {}
