internal import HearingDSP
internal import HearingBuffers

/// The correlation of the levels of the canceller's output with those of the echo estimate, over
/// half a second.
///
/// Levels are logarithms in 16 bands. When both sides talk, their levels often rise and fall
/// together because syllables coincide. In this case all bands rise and fall together, but the
/// relations between the bands are not correlated. Therefore there are two correlations: that of
/// the levels, and that of the spectrum's shape, which is the levels minus their mean over the
/// bands. Only echo makes both of them high.
struct LevelCorrelation {
  /// The correlation of the levels, −1…1.
  var ofLevels: Float { levels.value }
  /// The correlation of the spectrum's shape, −1…1.
  var ofShape: Float { shape.value }

  /// First bin of each band, and the bin after the last; levels of both signals; their means.
  private let bandCount: Int
  private let edges: (low: SIMD16<Int32>, end: SIMD16<Int32>)
  private var outputMeans = SIMD16<Float>.zero
  private var echoMeans = SIMD16<Float>.zero
  private var levels = Moments()
  private var shape = Moments()
  private var isFirst = true

  init(bins: Int, sampleRate: Double) {
    // Each at least a third of an octave wide, 63 Hz…6.3 kHz, up to half the sample rate.
    let frequencies: [Double] = [
      63, 125, 188, 250, 344, 438, 563, 719, 906, 1_156, 1_469, 1_875, 2_375, 3_031, 3_875, 4_938,
      6_250,
    ]
    let width = sampleRate / Double(2 * (bins - 1))
    var (low, end) = (SIMD16<Int32>.zero, SIMD16<Int32>.zero)
    var count = 0
    for band in 0..<16 where frequencies[band + 1] < 0.48 * sampleRate {
      low[band] = Int32((frequencies[band] / width).rounded())
      end[band] = max(low[band] + 1, Int32((frequencies[band + 1] / width).rounded()))
      count += 1
    }
    edges = (low, end)
    bandCount = count
  }

  mutating func reset() {
    (outputMeans, echoMeans) = (.zero, .zero)
    (levels, shape) = (Moments(), Moments())
    isFirst = true
  }

  /// Adds a frame of 5 ms: the power of both signals, `[bin]`.
  mutating func update(
    output: Row<Float>, echo: Row<Float>
  ) {
    var (outputLevels, echoLevels) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
    for band in 0..<bandCount {
      var (outputSum, echoSum): (Float, Float) = (2e-12, 2e-12)
      for bin in Int(edges.low[band])..<Int(edges.end[band]) {
        outputSum += output[bin]
        echoSum += echo[bin]
      }
      let logarithms = Float4(outputSum, echoSum, 1, 1).binaryLogarithm
      outputLevels[band] = logarithms[0]
      echoLevels[band] = logarithms[1]
    }
    if isFirst {
      isFirst = false
      (outputMeans, echoMeans) = (outputLevels, echoLevels)
    }
    outputMeans += (outputLevels - outputMeans) * 0.01
    echoMeans += (echoLevels - echoMeans) * 0.01
    let (x, y) = (outputLevels - outputMeans, echoLevels - echoMeans)
    let scale = 1 / Float(bandCount)
    let (product, xx, yy) = (
      (x * y).sum() * scale, (x * x).sum() * scale, (y * y).sum() * scale
    )
    levels.add(product, xx, yy)
    // Removes the mean over the bands: mean squares minus squares of the means.
    let (meanX, meanY) = (x.sum() * scale, y.sum() * scale)
    shape.add(product - meanX * meanY, xx - meanX * meanX, yy - meanY * meanY)
  }

  /// A covariance and two variances, smoothed over half a second.
  private struct Moments {
    private var covariance: Float = 0
    private var outputVariance: Float = 0
    private var echoVariance: Float = 0
    private(set) var value: Float = 0

    init() {}

    mutating func add(_ product: Float, _ outputSquare: Float, _ echoSquare: Float) {
      covariance += (product - covariance) * 0.01
      outputVariance += (outputSquare - outputVariance) * 0.01
      echoVariance += (echoSquare - echoVariance) * 0.01
      let squares = Float4(repeating: outputVariance * echoVariance + 0.05)
      value = covariance * (squares.binaryLogarithm * -0.5).powerOfTwo[0]
    }
  }
}
