internal import HearingDSP
internal import HearingBuffers

/// The expected power of the residual echo of the canceller, in bands.
///
/// It is the sum of three features, each times a learned fraction:
///
/// - the echo estimate with a decay, for an imprecise filter;
/// - the total power of the playback, distributed like the mean spectrum of the echo, for
///   distortion;
/// - the echo estimate of 0.2 s ago with a slow decay, for reverberation beyond the filter's
///   length.
struct ResidualEcho: ~Copyable {
  /// The expected power of the residual echo, `[band]`.
  let power: Row<Float>
  /// The power of the noise in the output, `[band]`.
  let noise: Row<Float>
  /// The mean spectrum of the echo, normalised to a sum of 1, `[band]`.
  let shape: Row<Float>
  /// The reference's power times the echo path's power gain, summed over bands.
  private(set) var played: Float = 0

  /// The ratio of the echo's power to the playback's power.
  private(set) var pathGain: Float = 0

  private let padded: Int
  private let memory: FloatMemory
  private let direct: Row<Float>
  private let late: Row<Float>
  private var distortion: Float = 0
  /// The fractions of the three features, `[band]`.
  private let fractions: (Row<Float>, Row<Float>, Row<Float>)
  /// The echo estimates of the last 0.2 s, `[frame][band]`.
  private let past: Row<Float>
  private var position = 0
  /// The mean power of the echo estimate over 2 s, `[band]`.
  private let meanEcho: Row<Float>
  /// The mean power of the reference over 2 s, `[band]`.
  private let meanReference: Row<Float>
  private var frames = 0
  /// The power of the output, smoothed over frames, `[band]`.
  private let smoothed: Row<Float>
  /// The minima of `smoothed` in the current and in the previous period of 0.75 s, `[band]`.
  private let minima: (Row<Float>, Row<Float>)
  private var minimumFrames = 0
  private let tuning = EchoTuning()

  init(padded: Int) {
    self.padded = padded
    var memory = FloatMemory(capacity: (13 + tuning.lateDelay) * padded)
    power = memory.allocate(padded)
    noise = memory.allocate(padded)
    shape = memory.allocate(padded)
    direct = memory.allocate(padded)
    late = memory.allocate(padded)
    fractions = (memory.allocate(padded), memory.allocate(padded), memory.allocate(padded))
    meanEcho = memory.allocate(padded)
    meanReference = memory.allocate(padded)
    smoothed = memory.allocate(padded)
    minima = (memory.allocate(padded), memory.allocate(padded))
    past = memory.allocate(tuning.lateDelay * padded)
    self.memory = memory
    reset()
  }

  /// Adds a frame: updates the features and the noise.
  mutating func update(_ bands: borrowing EchoBands, output: Row<Float>) {
    frames = min(frames + 1, 1_000)
    let fraction = max(tuning.levelMean, 1 / Float(frames))
    var (total, sum, references) = (Float4.zero, Float4.zero, Float4.zero)
    let then = past.from(position * padded)
    var band = 0
    while band < padded {
      let (echo, reference) = (bands.echo.float4(at: band), bands.reference.float4(at: band))
      let mean = meanEcho.follow(echo, at: band, by: fraction)
      let meanPlayed = meanReference.follow(reference, at: band, by: fraction)
      let transfer = mean / (meanPlayed + 1e-12)
      references += meanPlayed
      let maximum = Float4(repeating: tuning.maximumTransfer)
      total += transfer.replacing(with: maximum, where: transfer .> maximum) * reference
      sum += mean
      let decayed = direct.float4(at: band) * tuning.decay
      direct.setFloat4(decayed.larger(echo).flushingDenormals, at: band)
      let slow =
        late.float4(at: band) * tuning.lateDecay
        + then.float4(at: band) * (1 - tuning.lateDecay)
      late.setFloat4(slow.flushingDenormals, at: band)
      then.setFloat4(echo, at: band)
      band += 4
    }
    position = position + 1 == tuning.lateDelay ? 0 : position + 1
    played = total.sum()
    distortion = max(played, distortion * tuning.decay)
    if distortion < 1e-20 { distortion = 0 }
    pathGain = sum.sum() / (references.sum() + 1e-12)
    let scale = 1 / (sum.sum() + 1e-12)
    band = 0
    while band < padded {
      shape.setFloat4(meanEcho.float4(at: band) * scale, at: band)
      band += 4
    }
    followNoise(output)
  }

  private mutating func followNoise(_ output: Row<Float>) {
    minimumFrames += 1
    let isFull = minimumFrames == tuning.noiseFrames
    var band = 0
    while band < padded {
      let now = smoothed.follow(output.float4(at: band), at: band, by: frames == 1 ? 1 : 0.2)
      let before = minima.0.float4(at: band)
      let minimum = before.replacing(with: now, where: now .< before)
      minima.0.setFloat4(isFull ? now : minimum, at: band)
      let former = isFull ? minimum : minima.1.float4(at: band)
      minima.1.setFloat4(former, at: band)
      noise.setFloat4(minimum.replacing(with: former, where: former .< minimum), at: band)
      band += 4
    }
    if isFull { minimumFrames = 0 }
  }

  /// Computes the expected power, and adapts the fractions to the output.
  ///
  /// - Parameters:
  ///   - similarity: The evidence that the output is echo, 0…1. Without this evidence, the
  ///     fractions do not rise.
  ///   - changed: The power of the echo that remains because the path has changed, divided by the
  ///     power of the echo estimate.
  ///   - fit: How well the echo estimate has recently matched the microphone, 0…1.
  func estimate(output: Row<Float>, similarity: Float, changed: Float, fit: Float) {
    let one = Float4(repeating: 1)
    let fall = 1 - tuning.hold * similarity
    var band = 0
    while band < padded {
      let first = fractions.0.float4(at: band) * direct.float4(at: band)
      let second = fractions.1.float4(at: band) * (shape.float4(at: band) * distortion)
      let third = fractions.2.float4(at: band) * late.float4(at: band)
      let expected = first + second + third + 1e-16
      let heard = output.float4(at: band) - noise.float4(at: band)
      let bounded = heard.replacing(with: Float4.zero, where: heard .< Float4.zero) / expected
      let four = Float4(repeating: 4)
      let error = bounded.replacing(with: four, where: bounded .> four) - one
      let step = (error * fall).replacing(with: error * similarity, where: error .> Float4.zero)
      // Adapts only bands in which echo is expected.
      let speed = (step * (tuning.learningRate * 1.442_7) / expected).kept(
        where: expected .> Float4(repeating: 1e-13))
      learn(fractions.0, speed * first, at: band, minimum: tuning.minimumFractions[0])
      learn(fractions.1, speed * second, at: band, minimum: tuning.minimumFractions[1])
      learn(fractions.2, speed * third, at: band, minimum: tuning.minimumFractions[2])
      let after = direct.float4(at: band) * changed
      power.setFloat4(expected.larger(after) * fit, at: band)
      band += 4
    }
  }

  private func learn(_ fractions: Row<Float>, _ exponent: Float4, at band: Int, minimum: Float) {
    let next = fractions.float4(at: band) * exponent.powerOfTwo
    let maximum = Float4(repeating: tuning.maximumFraction)
    let bounded = next.larger(Float4(repeating: minimum))
    fractions.setFloat4(bounded.replacing(with: maximum, where: bounded .> maximum), at: band)
  }

  mutating func reset() {
    memory.clear()
    for band in 0..<padded {
      fractions.0[band] = tuning.initialFractions[0]
      fractions.1[band] = tuning.initialFractions[1]
      fractions.2[band] = tuning.initialFractions[2]
      (minima.0[band], minima.1[band]) = (.greatestFiniteMagnitude, .greatestFiniteMagnitude)
    }
    (played, distortion, position, frames, minimumFrames) = (0, 0, 0, 0, 0)
  }
}
