internal import HearingDSP

/// Estimates the noise of each bin, and the gain that suppresses it.
///
/// The noise is tracked by the probability of speech presence (T. Gerkmann & R. Hendriks, IEEE
/// Transactions on Audio, Speech and Language Processing 20, 2012). The gain is that of the minimum mean
/// square error of the logarithmic amplitude (Y. Ephraim & D. Malah, IEEE Transactions on Acoustics,
/// Speech and Signal Processing 33, 1985), with the decision-directed ratio of speech to noise, and
/// weighted by the speech presence (I. Cohen, IEEE Signal Processing Letters 9, 2002).
struct NoiseSpectrum: ~Copyable {
  /// Power of the noise, `[bin]`.
  let power: UnsafeMutablePointer<Float>
  /// The gain of the last frame, `[bin]`.
  let gain: UnsafeMutablePointer<Float>

  private let stride: Int
  private let memory: FloatMemory
  /// Smoothed probability of speech presence; power of the last frame after suppression.
  private let presence: UnsafeMutablePointer<Float>
  private let clean: UnsafeMutablePointer<Float>
  /// Frames so far, up to the length of the start.
  private var frameCount = 0

  /// Frames from which the first estimate is made: 100 ms.
  private static var startFrames: Int {
    @_noLocks @_noAllocation @inline(__always) get { 20 }
  }

  init(stride: Int) {
    self.stride = stride
    var memory = FloatMemory(capacity: 4 * stride)
    power = memory.take(stride)
    gain = memory.take(stride)
    presence = memory.take(stride)
    clean = memory.take(stride)
    self.memory = memory
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    memory.clear()
    frameCount = 0
  }

  /// Updates the noise and computes the gains of a frame.
  ///
  /// - Parameters:
  ///   - signal: Power of the signal, `[bin]`.
  ///   - echo: Power of the residual echo, `[bin]`: bins where it exceeds the noise do not change the
  ///     estimate of the noise.
  ///   - floor: The least gain.
  @_noLocks @_noAllocation
  mutating func update(
    signal: UnsafeMutablePointer<Float>, echo: UnsafeMutablePointer<Float>, floor: Float
  ) {
    let isStart = frameCount < Self.startFrames
    if isStart { frameCount += 1 }
    let share: Float = isStart ? 1 / Float(frameCount) : 0.067
    let floorLogarithm = Float4(repeating: floor).binaryLogarithm
    var bin = 0
    while bin < stride {
      let now = signal.float4(at: bin)
      var noise = power.float4(at: bin) + 1e-14
      let posterior = now / noise
      // Speech presence for a fixed ratio of 15 dB when present.
      let likelihood = (Self.bounded(posterior, 60) * -1.398_5).powerOfTwo * 32.62
      var probability = 1 / (likelihood + 1)
      let mean = presence.float4(at: bin) * 0.968 + probability * 0.032
      presence.setFloat4(mean, at: bin)
      let stuck = Float4(repeating: 0.99)
      probability = probability.replacing(
        with: stuck, where: (mean .> stuck) .& (probability .> stuck))
      let target = isStart ? now : now + (noise - now) * probability
      let updated = noise + (target - noise) * share
      let isClear = echo.float4(at: bin) .< noise
      noise = noise.replacing(with: updated, where: isClear)
      power.setFloat4(noise, at: bin)
      gain.setFloat4(
        gains(bin, signal: now, noise: noise, probability: probability, floorLogarithm), at: bin)
      bin += 4
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private func gains(
    _ bin: Int, signal: Float4, noise: Float4, probability: Float4, _ floorLogarithm: Float4
  ) -> Float4 {
    let posterior = Self.bounded(signal / noise, 1_000)
    let excess = posterior - 1
    let instant = excess.replacing(with: Float4.zero, where: excess .< Float4.zero)
    let mixed = clean.float4(at: bin) / noise * 0.98 + instant * 0.02
    let least = Float4(repeating: 0.003_2)
    let prior = mixed.replacing(with: least, where: mixed .< least)
    let wiener = prior / (prior + 1)
    let logarithm = (wiener.binaryLogarithm + Self.halfIntegral(wiener * posterior))
    let open = logarithm.replacing(with: Float4.zero, where: logarithm .> Float4.zero)
    // The gain for speech where it is present, the floor where it is not.
    let weighted = floorLogarithm + (open - floorLogarithm) * probability
    let bounded = weighted.replacing(with: floorLogarithm, where: weighted .< floorLogarithm)
    let amplitude = Self.floored(open, -20).powerOfTwo
    clean.setFloat4(amplitude * amplitude * signal, at: bin)
    return bounded.powerOfTwo
  }

  /// Half the exponential integral E1, as a power of two (R. Martin, D. Malah, R. Cox & A. Accardi,
  /// EURASIP Journal on Applied Signal Processing, 2004).
  @_noLocks @_noAllocation @inline(__always)
  private static func halfIntegral(_ value: Float4) -> Float4 {
    let v = value.replacing(with: Float4(repeating: 1e-6), where: value .< Float4(repeating: 1e-6))
    let logarithm = v.binaryLogarithm
    let small = logarithm * -0.695_4 - 0.6
    let middle = logarithm * -0.464_8 + 0.166
    let large = Self.floored(v * -1.727_4 - 0.863_7, -60).powerOfTwo
    let upper = middle.replacing(with: large, where: v .> Float4(repeating: 1))
    let integral = upper.replacing(with: small, where: v .< Float4(repeating: 0.1))
    return integral * 0.721_347_5
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func bounded(_ value: Float4, _ most: Float) -> Float4 {
    value.replacing(with: Float4(repeating: most), where: value .> Float4(repeating: most))
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func floored(_ value: Float4, _ least: Float) -> Float4 {
    value.replacing(with: Float4(repeating: least), where: value .< Float4(repeating: least))
  }
}
