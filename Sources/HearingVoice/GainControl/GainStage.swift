internal import HearingDSP
internal import HearingBuffers

/// Brings speech to an active level of −18 dB relative to an RMS of 1.0, and limits peaks to
/// −1 dBFS.
///
/// The gain, −20…30 dB, changes only while there is a voice. If the voice is suddenly louder, the
/// gain falls immediately. Otherwise it changes by at most 40 dB per second of voice until the
/// level is known from 2 s of voice, and by at most 10 dB per second afterwards. It ramps over
/// 10 ms. The stage has no latency. It switches on and off with a cross-fade of 10 ms; while it is
/// off, samples pass unchanged.
struct GainStage: ~Copyable, RenderStage {
  /// Whether the level is controlled.
  var isEnabled = false

  private var fade: SwitchFade
  private var limiter: OutputLimiter
  private var level = SpeechLevel()
  /// Samples of a frame of 10 ms, rounded up.
  private let rampLength: Int
  /// The gain in octaves of amplitude, and as a factor at the start and at the end of the frame.
  private var octaves: Float = 0
  private var gain: Float = 1
  private var nextGain: Float = 1
  /// The energy of the current frame so far, and the number of its samples.
  private var energy: Float = 0
  private var count = 0

  /// - Parameter capacity: The maximum length of a run.
  init(sampleRate: Double, capacity: Int) {
    fade = SwitchFade(sampleRate: sampleRate, capacity: capacity)
    rampLength = Int((sampleRate / 100).rounded(.up))
    limiter = OutputLimiter(sampleRate: sampleRate)
  }

  /// The gain at the end of the current frame in dB; 0 while off.
  var decibels: Float { isEnabled ? octaves * Decibels.perOctave : 0 }

  mutating func process(_ run: inout UplinkRun) {
    guard isEnabled || !fade.isOff else { return }
    let samples = run.samples
    fade.store(samples, count: run.frameCount)
    let slope = (nextGain - gain) / Float(rampLength)
    var energy = energy
    for index in 0..<run.frameCount {
      let sample = samples[index]
      energy += sample * sample
      samples[index] = sample * (gain + slope * Float(min(count + index + 1, rampLength)))
    }
    self.energy = energy
    count += run.frameCount
    if limiter.isNeeded(
      peak: SampleOperations.peak(samples, count: run.frameCount), ceiling: Self.ceiling)
    {
      limiter.process(samples, count: run.frameCount, ceiling: Self.ceiling)
    }
    fade.blend(samples, count: run.frameCount, isOn: isEnabled)
    if run.endsFrame { finishFrame(isVoice: run.isNearVoice) }
    if !isEnabled && fade.isOff { reset() }
  }

  /// Sets the gain of the next frame.
  private mutating func finishFrame(isVoice: Bool) {
    gain = nextGain
    let power = energy / Float(max(1, count))
    energy = 0
    count = 0
    guard isVoice else { return }
    let isRestarted: Bool
    switch level.add(power) {
    case .none: return
    case .moved: isRestarted = false
    case .restarted: isRestarted = true
    }
    let loudness = Float4(repeating: level.power).binaryLogarithm[0] * 0.5
    let target = min(max(Self.target - loudness, Self.minimumGain), Self.maximumGain)
    if isRestarted && target < octaves {
      octaves = target
    } else {
      // A level that was measured over less than 100 ms of voice does not raise the gain.
      let step = level.frames < 200 ? Self.fastStep : Self.slowStep
      let rise = level.frames < 10 ? 0 : step
      octaves += min(max(target - octaves, -step), rise)
    }
    nextGain = Float4(repeating: octaves).powerOfTwo[0]
  }

  /// Ends the cross-fade at once.
  mutating func settle() { fade.settle(isOn: isEnabled) }

  mutating func reset() {
    level = SpeechLevel()
    limiter.reset()
    (octaves, gain, nextGain, energy, count) = (0, 1, 1, 0, 0)
    settle()
  }

  /// −1 dBFS.
  private static let ceiling: Float = 0.891_25

  /// −18 dB. The mean of ``SpeechLevel`` is 0.6 dB above the active level of ITU-T P.56, which also
  /// counts a hangover of 200 ms after each word.
  private static let target: Float = (-18 + 0.6) / Decibels.perOctave

  private static let minimumGain: Float = -20 / Decibels.perOctave

  private static let maximumGain: Float = 30 / Decibels.perOctave

  /// 0.4 dB a frame.
  private static let fastStep: Float = 0.4 / Decibels.perOctave

  /// 0.1 dB a frame.
  private static let slowStep: Float = 0.1 / Decibels.perOctave
}
