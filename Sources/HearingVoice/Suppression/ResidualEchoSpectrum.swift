internal import HearingDSP
internal import HearingBuffers

/// Estimates the spectrum of the echo that the linear canceller has left.
///
/// The leakage of each bin, output power over that of the echo estimate, is learned only while the
/// levels of the output and the shape of its spectrum follow those of the echo estimate
/// (``LevelCorrelation``). Near talk is not correlated with the echo, so it does not raise the
/// leakage and is not mistaken for echo. After a change of the path, with a distorting loudspeaker
/// or with drifting clocks, the remaining echo is correlated. High correlation also raises the
/// weight of the estimate, except directly after sound that is clearly louder than the expected
/// echo: such sound is near talk, unless the shape of the spectrum follows the echo's.
struct ResidualEchoSpectrum: ~Copyable {
  /// The estimated power, `[bin]`.
  let power: Row<Float>
  /// Whether the loudspeaker can be heard at the microphone.
  private(set) var isPlaying = false

  private let stride: Int
  private let memory: FloatMemory
  /// The power of the output, smoothed over bins.
  private let smoothed: Row<Float>
  /// The decaying envelope of the power of the echo estimate.
  private let envelope: Row<Float>
  /// The leakage as a ratio of two averages, `[bin]`.
  private let numerator: Row<Float>
  private let denominator: Row<Float>
  private var correlation: LevelCorrelation
  /// 1 while the output is clearly louder than the remaining echo; afterwards it halves every 170
  /// ms.
  private var nearTalk: Float = 0

  init(bins: Int, stride: Int, sampleRate: Double) {
    self.stride = stride
    var memory = FloatMemory(capacity: 5 * stride + 8)
    power = memory.take(stride)
    smoothed = memory.take(stride + 4)
    envelope = memory.take(stride)
    numerator = memory.take(stride)
    denominator = memory.take(stride)
    self.memory = memory
    correlation = LevelCorrelation(bins: bins, sampleRate: sampleRate)
    reset()
  }

  mutating func reset() {
    memory.clear()
    isPlaying = false
    correlation.reset()
    nearTalk = 0
  }

  /// The least ratio of near talk to the expected echo.
  private static let clearly: Float = 16

  /// Estimates the residual echo of a frame.
  ///
  /// - Parameters:
  ///   - output: Power of the canceller's output, `[bin]`.
  ///   - echo: Power of the echo estimate, `[bin]`.
  ///   - expectedError: The mean square that the filter's uncertainty leaves.
  ///   - isPathKnown: Whether there is evidence of an echo path; otherwise nothing counts as echo.
  ///   - share: The share of the estimate that counts, 0…1.
  mutating func update(
    output: Row<Float>, echo: Row<Float>,
    expectedError: Float, isPathKnown: Bool, share: Float = 1
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
    isPlaying = sum > 2e-12 && isPathKnown
    Self.smooth(output, to: smoothed, count: stride)
    correlation.update(output: output, echo: envelope)
    learn()
    let sureness = min(
      Self.share(correlation.ofLevels, from: 0.3, to: 0.58),
      Self.share(correlation.ofShape, from: 0.05, to: 0.3))
    let weight = 4 * (1 + 10 * sureness * (1 - doubt))
    let uncertainty = 2 * expectedError / (sum + 1e-20)
    let share = isPathKnown ? share : 0
    var (heard, expected) = (Float4.zero, Float4.zero)
    bin = 0
    while bin < stride {
      let known = leakage(at: bin)
      heard += smoothed.float4(at: bin)
      expected += envelope.float4(at: bin) * known
      let leakage = known * weight
      let gain = leakage.replacing(
        with: Float4(repeating: uncertainty), where: leakage .< uncertainty)
      let estimate = envelope.float4(at: bin) * gain
      power.setFloat4(estimate * share + 1e-17, at: bin)
      bin += 4
    }
    nearTalk = heard.sum() > Self.clearly * expected.sum() ? 1 : nearTalk * 0.98
  }

  /// The likelihood, 0…1, that the sound is near talk and not the echo of a changed path.
  private var doubt: Float {
    get {
      nearTalk * (1 - Self.share(correlation.ofShape, from: 0.35, to: 0.5))
    }
  }

  /// The leakage of four bins: 0.0001…4.
  @inline(__always)
  private func leakage(at bin: Int) -> Float4 {
    let ratio = numerator.float4(at: bin) / (denominator.float4(at: bin) + 1e-6)
    let least = Float4(repeating: 1e-4)
    let most = Float4(repeating: 4)
    let bounded = ratio.replacing(with: least, where: ratio .< least)
    return bounded.replacing(with: most, where: bounded .> most)
  }

  /// Learns the leakage, as fast as the correlation permits.
  private func learn() {
    let share = min(
      Self.share(correlation.ofLevels, from: 0.25, to: 0.55),
      Self.share(correlation.ofShape, from: 0.1, to: 0.3))
    guard share > 0, isPlaying else { return }
    let isSure = correlation.ofLevels > 0.55 && correlation.ofShape > 0.4
    let rate = share * (1 - doubt) / 60
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

  /// The relative position of `value` between two bounds, 0…1.
  @inline(__always)
  private static func share(_ value: Float, from low: Float, to high: Float) -> Float {
    min(max((value - low) / (high - low), 0), 1)
  }

  /// Smooths a spectrum over five bins.
  private static func smooth(
    _ source: Row<Float>, to target: Row<Float>, count: Int
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
