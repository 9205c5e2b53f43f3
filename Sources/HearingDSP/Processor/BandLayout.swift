/// The centre frequencies of the bands to which gains are applied.
///
///     let layout = BandLayout.audiometric
///     let custom = try BandLayout(centers: [250, 500, 1_000, 2_000, 4_000])
///     let atTelephoneRate = layout.limited(to: 8_000)      // up to 3.5 kHz
///
/// At the frequencies of the layout, a processor reaches the exact gains. A layout does not define
/// the filters. A layout can be used at every sample rate that is high enough for the highest band
/// of the layout.
public struct BandLayout: Sendable, Equatable {
  /// The band centres in Hz, in ascending order without duplicates.
  public let centers: [Double]

  /// Creates a layout with the band centres `centers` in Hz.
  ///
  /// - Throws: ``Invalid`` if the layout is not valid. A valid layout has 1…32 finite centres of at
  ///   least 20 Hz, in ascending order without duplicates.
  public init(centers: [Double]) throws(Invalid) {
    try Self.supportedBandCounts.check(centers.count, Invalid.bandCountOutOfRange)
    for (band, center) in centers.enumerated() {
      guard center.isFinite, center >= Self.lowestCenter else {
        throw .centerOutOfRange(band: band, frequency: center)
      }
      if band > 0, center <= centers[band - 1] {
        throw .centerNotRising(band: band, frequency: center)
      }
    }
    self.centers = centers
  }

  /// Creates a layout with the band centres `centers` in Hz. The centres must be valid.
  init(checked centers: [Double]) { self.centers = centers }

  /// A copy of the layout for a processor with a sample rate of `sampleRate` Hz.
  ///
  /// A processor supports centres below 0.45 of the sample rate. The copy contains these centres.
  /// If a centre is not supported, the copy also has a band at 0.441 of the sample rate, unless
  /// another centre is near. Without this band, the sound above the last centre would get the gain
  /// of the last centre, and could be too loud. Returns nil if no centre is supported.
  public func limited(to sampleRate: Double) -> BandLayout? {
    let limit = ProcessingSpec.centerLimitRatio * sampleRate
    var available = centers.filter { $0 < limit }
    guard let last = available.last else { return nil }
    if available.count < centers.count, limit > 1.1 * last { available.append(0.98 * limit) }
    return BandLayout(checked: available)
  }
}

extension BandLayout {
  /// The supported number of bands in a layout.
  public static let supportedBandCounts: ClosedRange<Int> = 1...32

  /// The minimum band centre in Hz that a layout accepts.
  public static let lowestCenter: Double = 20

  /// The reason why a list of centres is not a valid layout.
  public enum Invalid: Error, Sendable, Equatable {
    /// There are no centres, or there are more than 32 centres.
    case bandCountOutOfRange(Int)
    /// A centre is not a finite frequency of at least 20 Hz.
    case centerOutOfRange(band: Int, frequency: Double)
    /// A centre is not higher than the previous centre.
    case centerNotRising(band: Int, frequency: Double)
  }
}

extension BandLayout.Invalid: CustomStringConvertible {
  /// A description of the error in one line.
  public var description: String {
    switch self {
    case .bandCountOutOfRange(let count):
      "a band layout has 1…32 bands, not \(count)"
    case .centerOutOfRange(let band, let frequency):
      "band \(band): a centre is a finite frequency of at least 20 Hz, not \(frequency)"
    case .centerNotRising(let band, let frequency):
      "band \(band): centre \(frequency) Hz is not above the centre before it"
    }
  }
}

extension BandLayout {
  /// The ten frequencies of pure-tone audiometry from 250 Hz to 8 kHz.
  ///
  /// The frequencies are 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000 and 8000 Hz.
  public static let audiometric = BandLayout(
    checked: [250, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000])

  /// Seven octave bands with centres from 125 Hz to 8 kHz.
  public static let octave = BandLayout(checked: [125, 250, 500, 1_000, 2_000, 4_000, 8_000])

  /// 23 third-octave bands with centres from 100 Hz to 16 kHz, at the nominal frequencies of IEC
  /// 61260-1.
  public static let thirdOctave = BandLayout(
    checked: [
      100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1_000, 1_250, 1_600, 2_000, 2_500, 3_150,
      4_000, 5_000, 6_300, 8_000, 10_000, 12_500, 16_000,
    ])
}
