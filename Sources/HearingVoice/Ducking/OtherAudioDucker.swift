public import HearingDSP
internal import HearingBuffers

/// Lowers the level of other audio, for example music, during a voice call.
///
///     var ducker = try OtherAudioDucker(
///       spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2),
///       configuration: OtherAudioDuckingConfiguration(enableAdvancedDucking: true))
///     ducker.isSomebodyTalking = voice.isActive
///     ducker.process(music, frameCount: 512)      // on the audio thread
///
/// The gain falls within 50 ms and rises within 800 ms. After the end of a voice, the gain stays
/// constant for 400 ms before the gain rises. Transitions are smooth, without clicks and without
/// overshoot. All channels have the same gain.
///
/// The properties ``configuration`` and ``isSomebodyTalking`` may change at any time. The ducker
/// divides the signal into time steps of 0.08…0.67 ms, depending on the sample rate. The first time
/// step begins at the first frame. A change of a property has an effect from the start of the next
/// time step on. Therefore the result does not depend on the block size. If a property changes
/// before the first frame or directly after ``reset()``, the gain changes immediately, without a
/// ramp.
///
/// Only one thread at a time may use a ducker. A ducker never allocates or locks, so an audio
/// thread may use a ducker. A ducker does not detect voices. ``VoiceProcessor`` detects voices and
/// controls its ducker.
public struct OtherAudioDucker: ~Copyable {
  /// The amount of ducking, and whether the amount depends on voice activity.
  public var configuration: OtherAudioDuckingConfiguration

  /// Whether somebody talks at either end of the call. If `enableAdvancedDucking` of the
  /// configuration is false, this property has no effect.
  public var isSomebodyTalking = false

  /// The number of channels.
  public let channelCount: Int

  /// For each channel of the host, the samples of the current block.
  private let host: OwnedRow<Row<Float>>
  private let stepFrames: Int
  private let holdSteps: Int
  private var glide: DuckingGlide
  private var hasBegun = false
  /// The number of frames since the start of the current time step.
  private var offset = 0
  /// The number of time steps until the hold time ends.
  private var heldSteps = 0
  /// The gain at the start of the current time step, as an amplitude ratio.
  private var ratio: Float = 1
  /// The change of the amplitude ratio per frame in the current time step.
  private var slope: Float = 0

  /// Creates a ducker.
  ///
  /// - Parameters:
  ///   - spec: The sample rate, 8,000…192,000 Hz, and the number of channels, 1…8.
  ///   - configuration: The initial configuration.
  /// - Throws: ``VoiceFailure`` if the sample rate or the number of channels is out of range.
  public init(
    spec: ProcessingSpec, configuration: OtherAudioDuckingConfiguration = .init()
  ) throws(VoiceFailure) {
    try VoiceFailure.check(
      sampleRate: spec.sampleRate, supported: ProcessingSpec.supportedSampleRates)
    try VoiceFailure.check(
      channelCount: spec.channelCount, supported: ProcessingSpec.supportedChannelCounts)
    self.configuration = configuration
    channelCount = spec.channelCount
    stepFrames = spec.sampleRate < 12_000 ? 4 : spec.sampleRate < 24_000 ? 8 : 16
    let stepRate = spec.sampleRate / Double(stepFrames)
    host = .filled(.empty, count: spec.channelCount)
    holdSteps = Int((Self.holdTime * stepRate).rounded())
    glide = DuckingGlide(
      gain: 0, attackSteps: Int((Self.attackTime * stepRate).rounded()),
      releaseSteps: Int((Self.releaseTime * stepRate).rounded()))
  }

  /// The current gain in dB, 0 or less.
  public var gain: Float { Float(glide.gain) / Self.unitsPerDecibel }

  /// The gain in dB at the end of the current transition.
  public var targetGain: Float { Float(glide.target) / Self.unitsPerDecibel }

  /// Applies the ducking gain to one block, in place.
  ///
  /// - Parameters:
  ///   - channels: Pointers to the samples of the ``channelCount`` channels.
  ///   - frameCount: The number of frames in the block, 0 or more. The number may differ from block
  ///     to block.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func process(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    for channel in 0..<channelCount {
      unsafe host[channel] = Row(channels[channel], count: frameCount)
    }
    process(host.row, frameCount: frameCount)
  }

  mutating func process(_ channels: Row<Row<Float>>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      if offset == 0 { startStep() }
      let isSteady = isGainConstant
      let count = isSteady ? frameCount - done : min(stepFrames - offset, frameCount - done)
      for channel in 0..<channelCount {
        let samples = channels[channel].from(done)
        if slope == 0 {
          for index in 0..<count { samples[index] *= ratio }
        } else {
          SampleOperations.amplify(
            samples, to: samples, count: count, from: ratio, slope: slope, offset: offset)
        }
      }
      done += count
      offset += count
      if isSteady {
        offset &= stepFrames - 1
      } else if offset == stepFrames {
        offset = 0
        if slope != 0 { ratio = amplitude }
        slope = 0
      }
    }
  }

  /// Resets the ducker. After the reset, the next frame counts as the first frame of a call. The
  /// configuration does not change.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func reset() {
    (hasBegun, offset, heldSteps, slope) = (false, 0, 0, 0)
  }

  /// The duration in seconds of a transition to a lower gain.
  public static var attackTime: Double { 0.050 }

  /// The time in seconds for which the gain stays constant after the end of a voice.
  public static var holdTime: Double { 0.400 }

  /// The duration in seconds of a transition to a higher gain.
  public static var releaseTime: Double { 0.800 }

  private static let unitsPerDecibel: Float = 1_000_000

  /// Whether the gain is constant until the end of the block.
  private var isGainConstant: Bool {
    slope == 0 && glide.isSettled && heldSteps == (isSomebodyTalking ? holdSteps : 0)
      && glide.target == requestedGain
  }

  /// The target gain for the current configuration and the current voices, in millionths of a dB.
  private var requestedGain: Int64 {
    let amount = configuration.amount(whileSomebodyTalks: heldSteps > 0)
    return -Int64(amount * Double(Self.unitsPerDecibel))
  }

  private mutating func startStep() {
    heldSteps = isSomebodyTalking ? holdSteps : max(heldSteps - 1, 0)
    let requested = requestedGain
    if !hasBegun {
      hasBegun = true
      glide.jump(to: requested)
      ratio = amplitude
    }
    glide.startTransition(to: requested)
    guard !glide.isSettled else { return }
    glide.advance()
    slope = (amplitude - ratio) / Float(stepFrames)
  }

  private var amplitude: Float { Float4(repeating: gain / Decibels.perOctave).powerOfTwo[0] }
}
