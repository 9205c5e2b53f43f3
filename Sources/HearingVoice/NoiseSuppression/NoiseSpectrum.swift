internal import HearingDSP
internal import HearingBuffers

/// Estimates the power of the noise in each bin from the probability that speech is present. The
/// method is from Gerkmann & Hendriks, IEEE Transactions on Audio, Speech and Language Processing
/// 20, 2012.
struct NoiseSpectrum: ~Copyable {
  /// The power of the noise, one value per bin.
  let power: OwnedRow<Float>

  /// The smoothed probability that speech is present, one value per bin.
  private let presence: OwnedRow<Float>
  /// The number of frames since the last reset, limited to `startFrames`.
  private var frameCount = 0

  /// The initial noise estimate is the mean power over this number of frames (100 ms).
  private static let startFrames = 20

  init(stride: Int) {
    power = .filled(0, count: stride)
    presence = .filled(0, count: stride)
  }

  mutating func reset() {
    power.fill(0)
    presence.fill(0)
    frameCount = 0
  }

  /// Updates the noise estimate with the spectrum of a frame.
  ///
  /// - Parameters:
  ///   - signal: The power of the signal, one value per bin.
  ///   - echo: The power of the residual echo, one value per bin, or nil if the signal contains no
  ///     echo. If the echo exceeds the noise estimate in a bin, the noise estimate of this bin does
  ///     not change.
  mutating func update(signal: Row<Float>, echo: Row<Float>?) {
    let isStart = frameCount < Self.startFrames
    if isStart { frameCount += 1 }
    let rate: Float = isStart ? 1 / Float(frameCount) : 0.067
    for bin in groupStarts(power.count) {
      let now = signal.float4(at: bin)
      var noise = power.float4(at: bin) + 1e-14
      let posterior = now / noise
      // The next formula assumes a signal-to-noise ratio of 15 dB in bins with speech.
      let likelihood = (posterior.smaller(Float4(repeating: 60)) * -1.398_5).powerOfTwo * 32.62
      var probability = 1 / (likelihood + 1)
      let mean = presence.float4(at: bin) * 0.968 + probability * 0.032
      presence.setFloat4(mean, at: bin)
      let stuck = Float4(repeating: 0.99)
      probability = probability.replacing(
        with: stuck, where: (mean .> stuck) .& (probability .> stuck))
      let target = isStart ? now : now + (noise - now) * probability
      let updated = noise + (target - noise) * rate
      let residual = echo?.float4(at: bin) ?? .zero
      noise = noise.replacing(with: updated, where: residual .< noise)
      power.setFloat4(noise, at: bin)
    }
  }
}
