internal import HearingDSP
internal import HearingBuffers

/// Computes a gain for each frequency band to suppress residual echo.
///
/// The gain of a band is 1 − θ / L. The ratio L is the power of the canceller's output divided by
/// the expected power of the residual echo. The margin θ grows with the evidence that the output is
/// echo.
struct EchoGain: ~Copyable {
  /// The gains, one value per band.
  let gains = EchoBands.row()
  /// The fraction of the output's power that is near-end signal, 0…1.
  private(set) var nearRatio: Float = 1

  private let padded: Int
  /// The power of the output, one value per band. Four zeros precede the first band, and four zeros
  /// follow the last band.
  private let paddedOutput: OwnedRow<Float>
  /// The expected power of the echo, one value per band. Four zeros precede the first band, and
  /// four zeros follow the last band.
  private let paddedExpected: OwnedRow<Float>
  private let tuning = EchoTuning()

  init(padded: Int) {
    self.padded = padded
    paddedOutput = .filled(0, count: padded + 8)
    paddedExpected = .filled(0, count: padded + 8)
    pass()
  }

  /// Sets all gains to 1.
  mutating func pass() {
    gains.fill(1)
    nearRatio = 1
  }

  /// Computes the gains.
  ///
  /// - Parameters:
  ///   - margin: The margin θ. If the ratio L is at most θ, the gain has its minimum.
  ///   - certainty: The weight (0…1) of a limit for the ratio L of each band. The limit is the
  ///     ratio L of all bands together. At weight 0, the limit has no effect. At weight 1, L never
  ///     exceeds the limit.
  mutating func update(
    output heard: Row<Float>, noise: Row<Float>, residual: Row<Float>, margin: Float,
    certainty: Float
  ) {
    let (output, expected) = (paddedOutput.from(4), paddedExpected.from(4))
    var (loud, echo) = (Float4.zero, Float4.zero)
    for band in groupStarts(padded) {
      let (power, echoPower) = (heard.float4(at: band), residual.float4(at: band))
      output.setFloat4(power, at: band)
      expected.setFloat4(echoPower, at: band)
      loud += (power - noise.float4(at: band)).larger(.zero)
      echo += echoPower
    }
    let whole = loud.sum() / (echo.sum() + 1e-16)
    var (near, all): (Float, Float) = (0, 1e-16)
    for band in 0..<padded {
      let ratio = Self.sum(output, at: band) / (Self.sum(expected, at: band) + 1e-16)
      let limited = ratio + certainty * (min(ratio, whole) - ratio)
      let gain = max(1 - margin / (limited + 1e-9), tuning.minimumGain)
      gains[band] = gain
      near += gain * gain * output[band]
      all += output[band]
    }
    nearRatio = near / all
  }

  @inline(__always)
  private static func sum(_ row: Row<Float>, at band: Int) -> Float {
    (row[band - 2] + row[band + 2]) + 2 * (row[band - 1] + row[band + 1]) + 3 * row[band]
  }
}
