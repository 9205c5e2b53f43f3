internal import HearingDSP
internal import HearingBuffers

/// Correlates the pattern of the canceller's output with the pattern of the expected echo. The
/// correlation extends over time and over the frequency bands.
///
/// A pattern is the logarithm of the power in each band, minus the mean of this logarithm over 2 s.
/// Distorted echo and the echo of a changed path follow the pattern of the playback, but near-end
/// speech does not. Pauses of the playback do not count in the means. In the first 0.2 s of a
/// pause, the reverberation decays. In the correlation, only these 0.2 s of a pause count.
struct PatternCorrelation: ~Copyable {
  /// The correlation of the canceller's output level with the level of the expected echo, over
  /// 0.6 s, −1…1.
  var ofLevels: Float { levelMoments.correlation }
  /// The correlation of the spectral shape of the canceller's output with the spectral shape of the
  /// expected echo, over 0.3 s, −1…1. A spectral shape is the pattern of a frame, minus the mean of
  /// the pattern over the bands.
  var ofShape: Float { shapeMoments.correlation }
  /// The weighted sum of the correlations of levels and shapes.
  var resemblance: Float { ofLevels + tuning.shapeWeight * ofShape }

  private let padded: Int
  /// The envelope of the echo estimate's power, one value per band.
  private let envelope = EchoBands.row()
  /// The envelope of the power `played`. The envelope decays fast.
  private var loudspeaker: Float = 0
  /// The recent maximum of the power `played`. The maximum decays slowly.
  private var loudest: Float = 0
  /// The level of the output in each band, smoothed over frames.
  private let outputLevels = EchoBands.row()
  /// The level of the expected echo in each band, smoothed over frames.
  private let echoLevels = EchoBands.row()
  /// The means of `outputLevels` over 2 s, one value per band.
  private let outputMeans = EchoBands.row()
  /// The means of `echoLevels` over 2 s, one value per band.
  private let echoMeans = EchoBands.row()
  /// Scratch memory with one value per band, and four additional elements at each end.
  private let paddedScratch: OwnedRow<Float>
  /// The number of frames in `outputMeans` and `echoMeans`.
  private var frames = 0
  /// The number of frames since the start of the current pause of the playback.
  private var pauseFrames = 0
  private var levelMoments = Moments()
  private var shapeMoments = Moments()
  private let tuning = EchoTuning()

  init(padded: Int) {
    self.padded = padded
    paddedScratch = .filled(0, count: padded + 8)
  }

  private var scratch: Row<Float> { paddedScratch.from(4) }

  /// Adds a frame of 10 ms to the correlations.
  ///
  /// - Parameters:
  ///   - output: The power of the canceller's output, one value per band.
  ///   - echo: The power of the echo estimate, one value per band.
  ///   - played: The expected power of the echo, summed over the bands. In each band, this power is
  ///     the reference's power multiplied by the power gain of the echo path.
  ///   - shape: The mean spectrum of the echo, normalised to a sum of 1, one value per band.
  ///   - meanEcho: The mean power of the echo estimate, one value per band. Bands with a low mean
  ///     power are ignored.
  mutating func update(
    output: Row<Float>, echo: Row<Float>, played: Float, shape: Row<Float>, meanEcho: Row<Float>
  ) {
    loudest = max(played, loudest * tuning.pauseDecay).flushingDenormals
    if played <= loudest * tuning.pauseLevel {
      pauseFrames = min(pauseFrames + 1, tuning.decayFrames + 1)
    } else {
      pauseFrames = 0
      frames = min(frames + 1, 1_000)
    }
    loudspeaker = max(played, loudspeaker * tuning.patternDecay).flushingDenormals
    for band in groupStarts(padded) {
      let decayed = envelope.float4(at: band) * tuning.patternDecay
      let held = decayed.larger(echo.float4(at: band)).flushingDenormals
      envelope.setFloat4(held, at: band)
      let expected = held + shape.float4(at: band) * loudspeaker + tuning.minimumLevel
      scratch.setFloat4(expected.binaryLogarithm, at: band)
    }
    follow(echoLevels.row, echoMeans.row)
    for band in groupStarts(padded) {
      scratch.setFloat4((output.float4(at: band) + tuning.minimumLevel).binaryLogarithm, at: band)
    }
    follow(outputLevels.row, outputMeans.row)
    if pauseFrames <= tuning.decayFrames { correlate(meanEcho) }
  }

  /// Smooths the levels in `scratch` over five bands and over frames. If the frame is not a pause
  /// of the playback, this function also updates the running means of the levels.
  private func follow(_ levels: Row<Float>, _ means: Row<Float>) {
    for side in 1...2 {
      scratch[-side] = scratch[0]
      scratch[padded - 1 + side] = scratch[padded - 1]
    }
    let (smoothing, fraction): (Float, Float) =
      frames == 1 ? (0, 1) : (0.5, max(tuning.levelMean, 1 / Float(frames)))
    for band in 0..<padded {
      let sum =
        (scratch[band - 2] + scratch[band + 2]) + (scratch[band - 1] + scratch[band + 1])
        + scratch[band]
      levels[band] = smoothing * levels[band] + (1 - smoothing) * 0.2 * sum
      if pauseFrames == 0 { means[band] += fraction * (levels[band] - means[band]) }
    }
  }

  private mutating func correlate(_ meanEcho: Row<Float>) {
    var (xy, xx, yy, x, y, count) = (
      Float4.zero, Float4.zero, Float4.zero, Float4.zero, Float4.zero, Float4.zero
    )
    for band in groupStarts(padded) {
      let counts = meanEcho.float4(at: band) .> Float4(repeating: tuning.minimumEcho * 0.1)
      let u = (outputLevels.float4(at: band) - outputMeans.float4(at: band)).kept(where: counts)
      let f = (echoLevels.float4(at: band) - echoMeans.float4(at: band)).kept(where: counts)
      xy += u * f
      xx += u * u
      yy += f * f
      x += u
      y += f
      count += Float4(repeating: 1).kept(where: counts)
    }
    let scale = 1 / (count.sum() + 1e-6)
    let (product, one, other) = (xy.sum() * scale, xx.sum() * scale, yy.sum() * scale)
    let (meanX, meanY) = (x.sum() * scale, y.sum() * scale)
    levelMoments.add(product, one, other, tuning.patternMean)
    shapeMoments.add(
      product - meanX * meanY, one - meanX * meanX, other - meanY * meanY, tuning.shapeMean)
  }

  mutating func reset() {
    envelope.fill(0)
    outputLevels.fill(0)
    echoLevels.fill(0)
    outputMeans.fill(0)
    echoMeans.fill(0)
    (loudspeaker, loudest, frames, pauseFrames) = (0, 0, 0, 0)
    (levelMoments, shapeMoments) = (Moments(), Moments())
  }

  /// The running means of a covariance and two variances.
  private struct Moments {
    private var covariance: Float = 0
    private var variances = SIMD2<Float>.zero

    mutating func add(_ product: Float, _ one: Float, _ other: Float, _ fraction: Float) {
      covariance += (product - covariance) * fraction
      variances += (SIMD2(one, other) - variances) * fraction
    }

    var correlation: Float {
      let squares = Float4(repeating: variances[0] * variances[1] + 1e-3)
      return covariance * (squares.binaryLogarithm * -0.5).powerOfTwo[0]
    }
  }
}
