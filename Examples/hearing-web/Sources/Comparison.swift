import HearingDSP

/// Switches between the processed and the unprocessed sound, at original or at equal loudness.
///
/// To get equal loudness, the louder sound is attenuated. The softer sound is never amplified.
/// Loudness is estimated for a listener with normal hearing. The estimate is the mean power of both
/// channels after ``KWeighting``, over about 1.5 s.
struct Comparison {
  /// Whether the processed sound is heard.
  var isProcessed = true

  /// Whether the processed and the unprocessed sound have the same loudness.
  var matchesLoudness = false

  private let initialWeighting: KWeighting
  private var weighting: KWeighting
  /// The mean powers: processed left, processed right, unprocessed left, unprocessed right.
  private var powers = SIMD4<Float>()
  /// The current factors for the processed and the unprocessed sound.
  private var factors = SIMD2<Float>(1, 0)
  private let forgetting: Float
  private let smoothing: Float

  /// Creates a comparison for a sample rate in Hz.
  init(sampleRate: Double) {
    initialWeighting = KWeighting(sampleRate: sampleRate)
    weighting = initialWeighting
    forgetting = Float(1 - CMath.exponential(-1 / (1.5 * sampleRate)))
    smoothing = Float(1 - CMath.exponential(-1 / (0.01 * sampleRate)))
  }

  /// Replaces the processed samples in `sound` by the selected sound.
  ///
  /// If the processed sound is selected and its loudness is not adjusted, the samples in `sound` do
  /// not change.
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
    // The factors approach their targets, but smoothing alone never reaches the targets. Therefore
    // the factors are set to their targets when the difference is below −80 dB. With exact factors,
    // the processed samples pass unchanged.
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
    // The filters are reset after a non-finite sample, because its effect would never end.
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

  /// The mean power below which loudness is not adjusted.
  private static let silence: Float = 1e-12
}
