internal import HearingDSP
internal import HearingBuffers

/// The frequency bands in which the network distinguishes speech from noise. There are 39 bands up
/// to 8 kHz. Neighbouring bands overlap by half. Up to 1 kHz, their centres are 62.5 Hz apart.
/// Above 1 kHz, the distance between the centres is larger.
///
/// Each bin belongs to the two bands with the nearest centres. The fractions of both bands add up
/// to 1. Therefore the levels of the bands and the interpolated gains do not depend on the sample
/// rate.
struct SpeechBands: ~Copyable {
  /// The number of bands.
  static let count = 39
  /// The number of elements for the values of all bands, rounded up to a multiple of 4.
  static let stride = 40

  /// The number of bins up to 8 kHz. Only these bins affect the levels of the bands.
  private let heardBins: Int
  /// Interpolates values of the bands, such as gains, for each bin.
  let interpolation: BandInterpolation
  /// The running level of the signal, as a logarithm to base 2. The levels of the bands are
  /// relative to this level.
  private var level: Float = 0
  private var isFirst = true

  init(bins: Int, sampleRate: Double) {
    let width = sampleRate / Double(2 * (bins - 1))
    heardBins = min(bins, Int(8_000 / width) + 1)
    interpolation = BandInterpolation(
      bins: bins, centers: Self.centers, width: width, last: Self.count - 1)
  }

  /// The centre frequencies in Hz.
  static var centers: [Double] {
    var centers = (0..<16).map { 31.25 + 62.5 * Double($0) }
    while centers.count < count {
      let last = centers[centers.count - 1]
      centers.append(last + max(62.5, 0.108 * last - 30))
    }
    return centers
  }

  mutating func reset() {
    level = 0
    isFirst = true
  }

  /// Computes the levels of the bands in a frame, relative to a running level. The running level
  /// rises quickly and falls slowly with the level of the frame.
  ///
  /// - Parameters:
  ///   - power: The power of the signal, one value per bin.
  ///   - levels: The memory for the levels, one value per band. A level that equals the running
  ///     level has the value 1. A difference of 1 means 24 dB. The minimum value is −1.5.
  mutating func measure(_ power: Row<Float>, to levels: Row<Float>) {
    for band in 0..<Self.stride { levels[band] = 0 }
    let (lower, fraction) = (interpolation.lower.row, interpolation.fraction.row)
    // The sums of the current band and the next band stay in registers.
    var (band, low, high, total): (Int, Float, Float, Float) = (0, 0, 0, 0)
    for bin in 0..<heardBins {
      while band < lower[bin] {
        levels[band] = low
        (band, low, high) = (band + 1, high, 0)
      }
      let upper = power[bin] * fraction[bin]
      low += power[bin] - upper
      high += upper
      total += power[bin]
    }
    levels[band] = low
    levels[band + 1] = high
    let now = Float4(repeating: total + 1e-12).binaryLogarithm[0]
    if isFirst { level = now }
    isFirst = false
    level += (now > level ? 0.1 : 0.002) * (now - level)
    for band in vectors(Self.stride) {
      let relative = (levels.float4(at: band) + 1e-12).binaryLogarithm - level
      levels.setFloat4((relative * 0.125 + 1).larger(Float4(repeating: -1.5)), at: band)
    }
  }
}
