package import HearingDSP

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Gain curves similar to those of compressive prescription rules.
package enum Curves {
  /// The standard audiograms N1…N7 and S1…S3 of IEC 60118-15. The thresholds are in dB HL at the
  /// audiometric band centres.
  package static let audiograms: [[Double]] = [
    [10, 10, 10, 10, 10, 15, 20, 30, 40, 40], [20, 20, 22.5, 25, 30, 35, 40, 45, 50, 50],
    [35, 35, 35, 40, 45, 50, 55, 60, 65, 65], [55, 55, 55, 55, 60, 65, 70, 75, 80, 80],
    [65, 70, 72.5, 75, 80, 80, 80, 80, 80, 80], [75, 80, 82.5, 85, 90, 90, 95, 100, 100, 100],
    [90, 95, 100, 105, 105, 105, 105, 105, 105, 105], [10, 10, 10, 10, 10, 15, 30, 55, 70, 70],
    [20, 20, 22.5, 25, 35, 55, 75, 95, 95, 95], [30, 35, 47.5, 60, 70, 75, 80, 80, 85, 85],
  ]

  /// The approximate level in dB SPL of speech in each audiometric band. The overall level of the
  /// speech is 65 dB SPL.
  private static let speech = [
    59.0, 60, 55, 51, 50, 47, 44, 43, 42, 40,
  ]

  /// Gain curves similar to those of the rule CAMFIT. They make soft speech audible. Their
  /// compression ratio is at most 2.9:1, and they have no gain above 100 dB SPL. Below the knee
  /// point, they expand.
  package static func prescribed(
    _ listener: Int, centers: [Double] = BandLayout.audiometric.centers
  ) throws -> [BandCurve] {
    try centers.map { center in
      let threshold = interpolated(audiograms[listener], at: center)
      let speech = interpolated(speech, at: center)
      let middle = max(0, 0.48 * threshold - 3)
      let soft = threshold + 5 - (speech - 38)
      let ratio = max(1, 38 / max(38 + middle - soft, 13))
      let slope = 1 / ratio - 1
      func gain(_ level: Double) -> Double {
        min(max(0, soft + (level - speech + 38) * slope), max(0, 100 - level))
      }
      let knee = speech - 20
      func withExpansion(_ level: Double) -> Double {
        level < knee ? max(0, gain(knee) + level - knee) : gain(level)
      }
      var levels: Set<Double> = [0, 120, knee, knee - gain(knee), 100]
      levels.insert((100 - soft + (speech - 38) * slope) / (1 + slope))
      if slope < 0 { levels.insert(speech - 38 - soft / slope) }
      return try BandCurve(
        points: levels.filter { (0...120).contains($0) }.sorted().map {
          BandCurve.Point(level: $0, gain: withExpansion($0))
        })
    }
  }

  /// Interpolates `values` at a frequency. The values belong to the audiometric band centres. The
  /// interpolation is linear over the logarithm of the frequency. Below the first and above the
  /// last centre, the result is constant.
  private static func interpolated(_ values: [Double], at frequency: Double) -> Double {
    let centers = BandLayout.audiometric.centers
    guard let next = centers.firstIndex(where: { $0 > frequency }) else { return values[9] }
    guard next > 0 else { return values[0] }
    let fraction = log2(frequency / centers[next - 1]) / log2(centers[next] / centers[next - 1])
    return values[next - 1] + fraction * (values[next] - values[next - 1])
  }

  /// A gain curve with a constant compression ratio from 40 to 105 dB SPL. Below 40 dB SPL, it
  /// expands.
  package static func compressing(
    ratio: Double, gainAt65: Double, attackTime: Double = BandCurve.defaultAttackTime,
    releaseTime: Double = BandCurve.defaultReleaseTime
  ) throws -> BandCurve {
    let slope = 1 / ratio - 1
    return try BandCurve(
      points: [
        .init(level: 20, gain: gainAt65 - 25 * slope - 20),
        .init(level: 40, gain: gainAt65 - 25 * slope),
        .init(level: 105, gain: gainAt65 + 40 * slope),
      ], attackTime: attackTime, releaseTime: releaseTime)
  }
}
