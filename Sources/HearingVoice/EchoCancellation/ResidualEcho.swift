internal import HearingDSP
internal import HearingBuffers

/// Estimates the power of the residual echo in each frequency band. Residual echo is the echo in
/// the output of the canceller.
///
/// The expected power is a weighted sum of three features. The weights are called fractions, and
/// adapt to the output of the canceller:
///
/// - the echo estimate with a decay (this feature represents the error of an imprecise filter);
/// - the total power of the playback, distributed over the bands like the mean spectrum of the echo
///   (this feature represents distortion);
/// - the echo estimate from 0.2 s earlier, with a slow decay (this feature represents reverberation
///   beyond the length of the filter).
struct ResidualEcho: ~Copyable {
  /// The expected power of the residual echo, one value per band.
  let power = EchoBands.row()
  /// The power of the noise in the output of the canceller, one value per band.
  let noise = EchoBands.row()
  /// The mean spectrum of the echo, normalised to a sum of 1, one value per band.
  let shape = EchoBands.row()
  /// The expected power of the echo, summed over the bands. In each band, this power is the
  /// reference's power multiplied by the power gain of the echo path.
  private(set) var played: Float = 0

  /// The ratio of the echo's power to the playback's power.
  private(set) var pathGain: Float = 0

  private let padded: Int
  /// The first feature: the echo estimate with a decay, one value per band.
  private let direct = EchoBands.row()
  /// The third feature: the late reverberation, one value per band.
  private let late = EchoBands.row()
  /// The sum of the second feature over all bands: the power of the distortion.
  private var distortion: Float = 0
  /// The fraction by which the first feature is multiplied, one value per band.
  private let directFractions = EchoBands.row()
  /// The fraction by which the second feature is multiplied, one value per band.
  private let distortionFractions = EchoBands.row()
  /// The fraction by which the third feature is multiplied, one value per band.
  private let lateFractions = EchoBands.row()
  /// The echo estimates of the last 0.2 s, one row of bands per frame.
  private let past: OwnedRow<Float>
  private var position = 0
  /// The mean power of the echo estimate over 2 s, one value per band.
  private let meanEcho = EchoBands.row()
  /// The mean power of the reference over 2 s, one value per band.
  private let meanReference = EchoBands.row()
  private var frames = 0
  /// The power of the output, smoothed over frames, one value per band.
  private let smoothed = EchoBands.row()
  /// The minima of `smoothed` in the current period of 0.75 s, one value per band.
  private let minima = EchoBands.row()
  /// The minima of `smoothed` in the previous period of 0.75 s, one value per band.
  private let formerMinima = EchoBands.row()
  private var minimumFrames = 0
  private let tuning = EchoTuning()

  init(padded: Int) {
    self.padded = padded
    past = .filled(0, count: tuning.lateDelay * padded)
    reset()
  }

  /// Adds a frame of 10 ms to the features and to the noise estimate.
  mutating func update(_ bands: borrowing EchoBands, output: Row<Float>) {
    frames = min(frames + 1, 1_000)
    let fraction = max(tuning.levelMean, 1 / Float(frames))
    var (total, sum, references) = (Float4.zero, Float4.zero, Float4.zero)
    let then = past.from(position * padded)
    for band in groupStarts(padded) {
      let (echo, reference) = (bands.echo.float4(at: band), bands.reference.float4(at: band))
      let mean = meanEcho.follow(echo, at: band, by: fraction)
      let meanPlayed = meanReference.follow(reference, at: band, by: fraction)
      let transfer = mean / (meanPlayed + 1e-12)
      references += meanPlayed
      total += transfer.smaller(Float4(repeating: tuning.maximumTransfer)) * reference
      sum += mean
      let decayed = direct.float4(at: band) * tuning.decay
      direct.setFloat4(decayed.larger(echo).flushingDenormals, at: band)
      let slow =
        late.float4(at: band) * tuning.lateDecay
        + then.float4(at: band) * (1 - tuning.lateDecay)
      late.setFloat4(slow.flushingDenormals, at: band)
      then.setFloat4(echo, at: band)
    }
    position = position + 1 == tuning.lateDelay ? 0 : position + 1
    played = total.sum()
    distortion = max(played, distortion * tuning.decay).flushingDenormals
    pathGain = sum.sum() / (references.sum() + 1e-12)
    let scale = 1 / (sum.sum() + 1e-12)
    for band in groupStarts(padded) {
      shape.setFloat4(meanEcho.float4(at: band) * scale, at: band)
    }
    followNoise(output)
  }

  private mutating func followNoise(_ output: Row<Float>) {
    minimumFrames += 1
    let isFull = minimumFrames == tuning.noiseFrames
    for band in groupStarts(padded) {
      let now = smoothed.follow(output.float4(at: band), at: band, by: frames == 1 ? 1 : 0.2)
      let before = minima.float4(at: band)
      let minimum = before.smaller(now)
      minima.setFloat4(isFull ? now : minimum, at: band)
      let former = isFull ? minimum : formerMinima.float4(at: band)
      formerMinima.setFloat4(former, at: band)
      noise.setFloat4(minimum.smaller(former), at: band)
    }
    if isFull { minimumFrames = 0 }
  }

  /// Computes the expected power of the residual echo, and adapts the fractions of the features to
  /// the output.
  ///
  /// - Parameters:
  ///   - similarity: The evidence that the output is echo, 0…1. While `similarity` is 0, the
  ///     fractions of the features do not rise.
  ///   - changed: The assumed power of the remaining echo after a change of the path, divided by
  ///     the power of the echo estimate. Without evidence of a change of the path, `changed` is 0.
  ///   - fit: How well the echo estimate has recently matched the microphone signal, 0…1.
  ///   - distorted: The evidence that the loudspeaker distorts strongly, 0…1.
  func estimate(
    output: Row<Float>, similarity: Float, changed: Float, fit: Float, distorted: Float
  ) {
    let fall = 1 - tuning.hold * similarity
    let fit = max(fit, distorted)
    let minima = tuning.minimumFractions
    let maximum = tuning.maximumFraction + distorted * tuning.distortedFraction
    for band in groupStarts(padded) {
      let first = directFractions.float4(at: band) * direct.float4(at: band)
      let second = distortionFractions.float4(at: band) * (shape.float4(at: band) * distortion)
      let third = lateFractions.float4(at: band) * late.float4(at: band)
      let expected = first + second + third + 1e-16
      let heard = output.float4(at: band) - noise.float4(at: band)
      let error = (heard.larger(.zero) / expected).smaller(Float4(repeating: 4)) - 1
      let step = (error * fall).replacing(with: error * similarity, where: error .> Float4.zero)
      // Adapts the fractions only in bands in which echo is expected.
      let speed = (step * (tuning.learningRate * 1.442_7) / expected).kept(
        where: expected .> Float4(repeating: 1e-13))
      learn(directFractions.row, speed * first, at: band, from: minima[0], to: maximum)
      learn(distortionFractions.row, speed * second, at: band, from: minima[1], to: maximum)
      learn(lateFractions.row, speed * third, at: band, from: minima[2], to: maximum)
      let after = direct.float4(at: band) * changed
      power.setFloat4(expected.larger(after) * fit, at: band)
    }
  }

  private func learn(
    _ fractions: Row<Float>, _ exponent: Float4, at band: Int, from minimum: Float,
    to maximum: Float
  ) {
    let next = fractions.float4(at: band) * exponent.powerOfTwo
    let bounded = next.larger(Float4(repeating: minimum)).smaller(Float4(repeating: maximum))
    fractions.setFloat4(bounded, at: band)
  }

  mutating func reset() {
    direct.fill(0)
    late.fill(0)
    past.fill(0)
    meanEcho.fill(0)
    meanReference.fill(0)
    smoothed.fill(0)
    noise.fill(0)
    directFractions.fill(tuning.initialFractions[0])
    distortionFractions.fill(tuning.initialFractions[1])
    lateFractions.fill(tuning.initialFractions[2])
    minima.fill(.greatestFiniteMagnitude)
    formerMinima.fill(.greatestFiniteMagnitude)
    (played, distortion, position, frames, minimumFrames) = (0, 0, 0, 0, 0)
  }
}
