import HearingDSP

/// Switches between the processed and the unprocessed sound, at their original loudness or at equal
/// loudness.
///
/// At equal loudness, the louder sound is attenuated; the softer sound is never amplified. Loudness
/// is the mean power of both channels after ``KWeighting``, over about 1.5 s. It applies to a
/// listener with normal hearing.
struct Comparison {
  /// Whether the processed sound is heard.
  var isProcessed = true

  /// Whether both are heard at the same loudness.
  var matchesLoudness = false

  private let initialWeighting: KWeighting
  private var weighting: KWeighting
  /// The mean powers of the processed and the unprocessed sound: left, right, left, right.
  private var powers = SIMD4<Float>()
  /// The factors of the processed and the unprocessed sound.
  private var factors = SIMD2<Float>(1, 0)
  private let forgetting: Float
  private let smoothing: Float

  /// A comparison at a sample rate in Hz.
  init(sampleRate: Double) {
    initialWeighting = KWeighting(sampleRate: sampleRate)
    weighting = initialWeighting
    forgetting = Float(1 - CMath.exponential(-1 / (1.5 * sampleRate)))
    smoothing = Float(1 - CMath.exponential(-1 / (0.01 * sampleRate)))
  }

  /// Replaces the processed sound in `sound` by the sound to be heard.
  ///
  /// If the processed sound is to be heard at its original loudness, it is bit-identical.
  mutating func process(_ sound: Rows, dry: Rows, frameCount: Int) {
    measure(sound, dry, frameCount)
    let target = target
    guard factors != target || target != SIMD2(1, 0) else { return }
    var factors = factors
    for frame in 0..<frameCount {
      factors += smoothing * (target - factors)
      sound.left[frame] = factors.x * sound.left[frame] + factors.y * dry.left[frame]
      sound.right[frame] = factors.x * sound.right[frame] + factors.y * dry.right[frame]
    }
    // Sets the factors to their target when the difference is below −80 dB, so that processed sound
    // is bit-identical afterwards.
    let difference = target - factors
    self.factors = abs(difference.x) < 1e-4 && abs(difference.y) < 1e-4 ? target : factors
  }

  private mutating func measure(_ sound: Rows, _ dry: Rows, _ frameCount: Int) {
    var (weighting, powers) = (weighting, powers)
    for frame in 0..<frameCount {
      let weighted = weighting.process(
        SIMD4(sound.left[frame], sound.right[frame], dry.left[frame], dry.right[frame]))
      powers += forgetting * (weighted * weighted - powers)
    }
    // A sample that is not finite would remain in the filters forever.
    guard powers.sum().isFinite else {
      self.weighting = initialWeighting
      self.powers = SIMD4()
      return
    }
    (self.weighting, self.powers) = (weighting, powers)
  }

  /// The target of the smoothed ``factors``.
  private var target: SIMD2<Float> {
    var loudness = SIMD2<Float>(1, 1)
    let (processed, dry) = (powers.x + powers.y, powers.z + powers.w)
    if matchesLoudness, processed > Self.silence, dry > Self.silence {
      loudness.x = min(1, (dry / processed).squareRoot())
      loudness.y = min(1, (processed / dry).squareRoot())
    }
    return isProcessed ? SIMD2(loudness.x, 0) : SIMD2(0, loudness.y)
  }

  /// The mean power below which loudness is not compared.
  private static let silence: Float = 1e-12
}
