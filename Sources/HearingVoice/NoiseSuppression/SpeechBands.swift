internal import HearingDSP
internal import HearingBuffers

/// The frequency bands in which the network distinguishes speech from noise. There are 39 bands up
/// to 8 kHz. Neighbouring bands overlap by half. Up to 1 kHz, the centres of the bands are 62.5 Hz
/// apart. Above 1 kHz, the distance between the centres is larger.
///
/// The power of each bin is divided between the two bands with the nearest centres. Therefore the
/// levels of the bands and the interpolated gains do not depend on the sample rate.
struct SpeechBands: ~Copyable {
  /// The number of bands.
  static let count = 39
  /// The number of bands, rounded up to a multiple of 4.
  static let stride = 40
  /// The number of elements that the network receives for each frame: two values per band.
  static let inputCount = 2 * stride

  /// The number of bins up to 8 kHz. Bins above 8 kHz do not affect the levels of the bands.
  private let heardBins: Int
  /// Interpolates between numbers that belong to the bands, for example gains. The result has one
  /// number per bin of the spectrum.
  let interpolation: BandInterpolation
  /// The smoothed level of the signal, as a logarithm to base 2. The levels of the bands are
  /// relative to this level.
  private var level: Float = 0
  /// The noise floor of each band, as a logarithm to base 2.
  private let floors = OwnedRow<Float>.filled(0, count: stride)
  private var isFirst = true

  init(bins: Int, sampleRate: Double) {
    let width = sampleRate / Double(2 * (bins - 1))
    heardBins = min(bins, Int(8_000 / width) + 1)
    interpolation = BandInterpolation(bins: bins, centers: Self.centers, width: width)
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
    (level, isFirst) = (0, true)
  }

  /// Computes the levels of the bands in a frame. Each level is computed relative to two
  /// references: the smoothed level of the signal, and the noise floor of the band.
  ///
  /// The smoothed level rises quickly and falls slowly. The noise floor falls quickly and rises
  /// slowly.
  ///
  /// - Parameters:
  ///   - power: The power of the signal, one value per bin.
  ///   - levels: The memory for two levels per band. The first 39 elements are the levels relative
  ///     to the smoothed level of the signal. A level that equals the smoothed level is written as
  ///     1. The 39 elements from index `stride` on are the levels relative to the noise floors. A
  ///     level that equals the noise floor is written as 0. A difference of 1 between two elements
  ///     means 24 dB. The minimum of an element is −1.5.
  mutating func measure(_ power: Row<Float>, to levels: Row<Float>) {
    for band in 0..<Self.stride { levels[band] = 0 }
    let (lower, fraction) = (interpolation.lower.row, interpolation.fraction.row)
    // The sums for the current band and the next band stay in registers of the processor.
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
    level += (now > level ? 0.1 : 0.002) * (now - level)
    let minimum = Float4(repeating: -1.5)
    for band in groupStarts(Self.stride) {
      let now = (levels.float4(at: band) + 1e-12).binaryLogarithm
      levels.setFloat4(((now - level) * 0.125 + 1).larger(minimum), at: band)
      let change = isFirst ? .zero : now - floors.float4(at: band)
      // The floor follows a higher level with a time constant of 1.25 s, and a lower level with a
      // time constant of 50 ms.
      let rise = Float4(repeating: 0.004)
      let above = change * (1 - rise.replacing(with: Float4(repeating: 0.1), where: change .< 0))
      floors.setFloat4(now - above, at: band)
      let bounded = (above * 0.125).larger(minimum).smaller(Float4(repeating: 3))
      levels.setFloat4(bounded, at: Self.stride + band)
    }
    isFirst = false
  }
}
