internal import HearingDSP
internal import HearingBuffers

/// Brings speech to an active level of −18 dB relative to an RMS of 1.0. Limits peaks to −1 dBFS.
///
/// The gain is −20…30 dB. The gain changes only after 10 ms frames with voice. The gain rises only
/// while ``UplinkRun/isTalking`` is also true. If the voice suddenly becomes louder, the gain falls
/// immediately. All other changes are slow. During the first 2 s of voice, the gain changes by at
/// most 40 dB per second of voice. After the first 2 s, the gain changes by at most 10 dB per
/// second of voice. Each change is a ramp of 10 ms. The stage has no latency. The stage switches on
/// and off with a cross-fade of 10 ms. While the stage is off, samples pass unchanged.
struct GainStage: ~Copyable, RenderStage {
  /// Switches gain control on and off.
  var fade: SwitchFade
  private var limiter: OutputLimiter
  private var level = SpeechLevel()
  /// The number of samples in a frame of 10 ms, rounded up. This number is the length of a ramp.
  private let rampLength: Int
  /// The gain at the end of the current frame, as the logarithm to base 2 of an amplitude factor.
  private var octaves: Float = 0
  /// The amplitude factor at the start of the current frame of 10 ms.
  private var gain: Float = 1
  /// The amplitude factor at the end of the current frame of 10 ms.
  private var nextGain: Float = 1
  /// The sum of the squared input samples in the current frame of 10 ms.
  private var energy: Float = 0
  /// The number of samples of the current frame that have been processed.
  private var count = 0

  init(sampleRate: Double) {
    fade = SwitchFade(length: Int(0.01 * sampleRate))
    rampLength = Int((sampleRate / 100).rounded(.up))
    limiter = OutputLimiter(sampleRate: sampleRate)
  }

  /// The gain in dB at the end of the current frame. The gain is 0 while the stage is off.
  var decibels: Float { fade.isOn ? octaves * Decibels.perOctave : 0 }

  mutating func process(_ run: inout UplinkRun) {
    guard !fade.isOff else { return }
    let samples = run.samples
    CallBlock.copy(samples, to: fade.direct.row, count: run.frameCount)
    let slope = (nextGain - gain) / Float(rampLength)
    var energy = energy
    for index in 0..<run.frameCount {
      let sample = samples[index]
      energy += sample * sample
      samples[index] = sample * (gain + slope * Float(min(count + index + 1, rampLength)))
    }
    self.energy = energy
    count += run.frameCount
    limiter.limit(samples, count: run.frameCount, ceiling: Self.ceiling)
    fade.blend(samples, count: run.frameCount)
    if run.endsFrame { finishFrame(isVoice: run.isNearVoice, isTalking: run.isTalking) }
    if fade.isOff { reset() }
  }

  /// Computes the gain at the end of the next frame.
  private mutating func finishFrame(isVoice: Bool, isTalking: Bool) {
    gain = nextGain
    let power = energy / Float(max(1, count))
    (energy, count) = (0, 0)
    guard isVoice else { return level.addPause() }
    guard let isRestarted = level.add(power) else { return }
    let loudness = Float4(repeating: level.power).binaryLogarithm[0] * 0.5
    let target = min(max(Self.target - loudness, Self.minimumGain), Self.maximumGain)
    if isRestarted && target < octaves {
      octaves = target
    } else {
      let step = level.frames < 200 ? Self.fastStep : Self.slowStep
      octaves += min(max(target - octaves, -step), isTalking ? step : 0)
    }
    nextGain = Float4(repeating: octaves).powerOfTwo[0]
  }

  mutating func reset() {
    level = SpeechLevel()
    limiter.reset()
    (octaves, gain, nextGain, energy, count) = (0, 1, 1, 0, 0)
    fade.settle()
  }

  /// The maximum magnitude of an output sample: −1 dBFS.
  private static let ceiling: Float = 0.891_25

  /// The target for the mean level that ``SpeechLevel`` estimates, as a logarithm to base 2. The
  /// target corresponds to an active level of −18 dB. The active level of ITU-T P.56 includes the
  /// 200 ms after each word, but the mean level does not. Therefore the mean level is 1.2 dB above
  /// the active level.
  private static let target: Float = (-18 + 1.2) / Decibels.perOctave

  /// The minimum gain of −20 dB, as a logarithm to base 2.
  private static let minimumGain: Float = -20 / Decibels.perOctave

  /// The maximum gain of 30 dB, as a logarithm to base 2.
  private static let maximumGain: Float = 30 / Decibels.perOctave

  /// During the first 2 s of voice, the gain changes by at most this step per frame: 0.4 dB.
  private static let fastStep: Float = 0.4 / Decibels.perOctave

  /// After the first 2 s of voice, the gain changes by at most this step per frame: 0.1 dB.
  private static let slowStep: Float = 0.1 / Decibels.perOctave
}
