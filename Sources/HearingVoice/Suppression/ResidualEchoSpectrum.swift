internal import HearingDSP

/// Estimates the spectrum of the echo that the linear canceller has left.
///
/// The leakage of each bin, output power over that of the echo estimate, is learned only while the
/// levels of the output follow those of the echo estimate: the correlation of the logarithmic levels of
/// 16 bands over half a second. Near talk is not correlated with the echo, so it neither raises the
/// leakage nor is it taken for echo; a changed path, a distorting loudspeaker or drifting clocks leave
/// echo that is correlated. High correlation also raises the weight of the estimate.
struct ResidualEchoSpectrum: ~Copyable {
  /// The estimated power, `[bin]`.
  let power: UnsafeMutablePointer<Float>
  /// Whether the loudspeaker can be heard.
  private(set) var isPlaying = false
  /// The correlation of the output's levels with those of the echo estimate, −1…1.
  private(set) var correlation: Float = 0

  private let stride: Int
  private let memory: FloatMemory
  /// The power of the output, smoothed over bins.
  private let smoothed: UnsafeMutablePointer<Float>
  /// The decaying envelope of the power of the echo estimate.
  private let envelope: UnsafeMutablePointer<Float>
  /// The leakage as a ratio of two averages, `[bin]`.
  private let numerator: UnsafeMutablePointer<Float>
  private let denominator: UnsafeMutablePointer<Float>
  /// First bin of each band, and the bin after the last; levels of both signals; their means.
  private let bandCount: Int
  private let edges: (low: SIMD16<Int32>, end: SIMD16<Int32>)
  private var outputMeans = SIMD16<Float>.zero
  private var echoMeans = SIMD16<Float>.zero
  private var covariance: Float = 0
  private var outputVariance: Float = 0
  private var echoVariance: Float = 0
  private var isFirst = true
  /// Frames for which the path still counts as unknown.
  private var unknownFrames = 0

  init(bins: Int, stride: Int, sampleRate: Double) {
    self.stride = stride
    var memory = FloatMemory(capacity: 5 * stride + 8)
    power = memory.take(stride)
    smoothed = memory.take(stride + 4)
    envelope = memory.take(stride)
    numerator = memory.take(stride)
    denominator = memory.take(stride)
    self.memory = memory
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
    reset()
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    memory.clear()
    isPlaying = false
    correlation = 0
    (outputMeans, echoMeans) = (.zero, .zero)
    (covariance, outputVariance, echoVariance) = (0, 0, 0)
    isFirst = true
    unknownFrames = 0
  }

  /// Estimates the residual echo of a frame.
  ///
  /// - Parameters:
  ///   - output: Power of the canceller's output, `[bin]`.
  ///   - echo: Power of the echo estimate, `[bin]`.
  ///   - expectedError: The mean square that the filter's uncertainty leaves.
  ///   - isPathUnknown: Whether the filter is new or adds echo.
  ///   - share: The share of the estimate that counts, 0…1.
  @_noLocks @_noAllocation
  mutating func update(
    output: UnsafeMutablePointer<Float>, echo: UnsafeMutablePointer<Float>,
    expectedError: Float, isPathUnknown: Bool, share: Float = 1
  ) {
    Self.smooth(echo, to: smoothed, count: stride)
    var total = Float4.zero
    var bin = 0
    while bin < stride {
      let decayed = envelope.float4(at: bin) * 0.841
      let now = smoothed.float4(at: bin)
      let held = decayed.replacing(with: now, where: now .> decayed).withoutTraces
      envelope.setFloat4(held, at: bin)
      total += held
      bin += 4
    }
    let sum = total[0] + total[1] + total[2] + total[3]
    isPlaying = sum > 2e-12
    Self.smooth(output, to: smoothed, count: stride)
    correlate(output)
    if isPathUnknown { unknownFrames = 20 } else if unknownFrames > 0 { unknownFrames -= 1 }
    learn()
    let weight = 4 * (1 + 10 * Self.share(correlation, from: 0.3, to: 0.58))
    let uncertainty = 2 * expectedError / (sum + 1e-20)
    let unknown: Float = unknownFrames > 0 && isPlaying ? 4 : 0
    bin = 0
    while bin < stride {
      let leakage = leakage(at: bin) * weight
      let gain = leakage.replacing(
        with: Float4(repeating: uncertainty), where: leakage .< uncertainty)
      let estimate = envelope.float4(at: bin) * gain
      let all = smoothed.float4(at: bin) * unknown
      let larger = estimate.replacing(with: all, where: all .> estimate)
      power.setFloat4(larger * share + 1e-17, at: bin)
      bin += 4
    }
  }

  /// The leakage of four bins: 0.0001…4.
  @_noLocks @_noAllocation @inline(__always)
  private func leakage(at bin: Int) -> Float4 {
    let ratio = numerator.float4(at: bin) / (denominator.float4(at: bin) + 1e-6)
    let least = Float4(repeating: 1e-4)
    let most = Float4(repeating: 4)
    let bounded = ratio.replacing(with: least, where: ratio .< least)
    return bounded.replacing(with: most, where: bounded .> most)
  }

  /// Learns the leakage, as fast as the correlation permits.
  @_noLocks @_noAllocation
  private func learn() {
    let rate = Self.share(correlation, from: 0.25, to: 0.55) / 60
    guard rate > 0, isPlaying else { return }
    let isSure = correlation > 0.55
    var bin = 0
    while bin < stride {
      let echo = envelope.float4(at: bin)
      var output = smoothed.float4(at: bin)
      if !isSure {
        let known = leakage(at: bin)
        let least = Float4(repeating: 1e-3)
        let most = known.replacing(with: least, where: known .< least) * echo * 4
        output = output.replacing(with: most, where: output .> most)
      }
      // Weighted by the inverse of the echo's power, so loud frames do not dominate.
      let weight = 1 / (echo + 2e-11)
      let active = echo .> Float4(repeating: 2e-11)
      let (top, bottom) = (numerator.float4(at: bin), denominator.float4(at: bin))
      numerator.setFloat4(
        top.replacing(with: top + (output * weight - top) * rate, where: active), at: bin)
      denominator.setFloat4(
        bottom.replacing(with: bottom + (echo * weight - bottom) * rate, where: active), at: bin)
      bin += 4
    }
  }

  /// Updates the correlation of the levels of both signals.
  @_noLocks @_noAllocation
  private mutating func correlate(_ output: UnsafeMutablePointer<Float>) {
    var (levels, echoLevels) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
    for band in 0..<bandCount {
      var (outputSum, echoSum): (Float, Float) = (2e-12, 2e-12)
      for bin in Int(edges.low[band])..<Int(edges.end[band]) {
        outputSum += output[bin]
        echoSum += envelope[bin]
      }
      let logarithms = Float4(outputSum, echoSum, 1, 1).binaryLogarithm
      levels[band] = logarithms[0]
      echoLevels[band] = logarithms[1]
    }
    if isFirst {
      isFirst = false
      (outputMeans, echoMeans) = (levels, echoLevels)
    }
    outputMeans += (levels - outputMeans) * 0.01
    echoMeans += (echoLevels - echoMeans) * 0.01
    let (x, y) = (levels - outputMeans, echoLevels - echoMeans)
    let scale = 1 / Float(bandCount)
    covariance += ((x * y).sum() * scale - covariance) * 0.01
    outputVariance += ((x * x).sum() * scale - outputVariance) * 0.01
    echoVariance += ((y * y).sum() * scale - echoVariance) * 0.01
    let product = Float4(repeating: outputVariance * echoVariance + 0.05)
    correlation = covariance * (product.binaryLogarithm * -0.5).powerOfTwo[0]
  }

  /// The place of `value` between two bounds, 0…1.
  @_noLocks @_noAllocation @inline(__always)
  private static func share(_ value: Float, from low: Float, to high: Float) -> Float {
    min(max((value - low) / (high - low), 0), 1)
  }

  /// Smooths a spectrum over five bins.
  @_noLocks @_noAllocation
  private static func smooth(
    _ source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    let end = count - 4
    target[0] = source[0]
    target[1] = source[1]
    for bin in 2..<end - 1 {
      let outer = (source[bin - 2] + source[bin + 2]) * (1 / 12)
      let inner = (source[bin - 1] + source[bin + 1]) * 0.25
      target[bin] = outer + inner + source[bin] * (1 / 3)
    }
    for bin in end - 1..<count { target[bin] = bin <= end ? source[bin] : 0 }
  }
}
