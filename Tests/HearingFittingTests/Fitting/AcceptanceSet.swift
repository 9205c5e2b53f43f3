import Foundation

@testable import HearingFitting

/// The listeners for whom the default rule must meet its limits. Ten listeners have the standard
/// audiograms. Eight listeners have random audiograms from `Benchmarks/benefit/acceptance.py` (seed
/// 31).
enum AcceptanceSet {
  static let audiograms: [(name: String, audiogram: Audiogram)] =
    Audiogram.standards.map { ($0.name, $0.audiogram) } + random

  private static let random: [(name: String, audiogram: Audiogram)] = [
    ("mild", [25, 25, 30, 30, 30, 30, 35, 30, 40, 40]),
    ("notch", [5, 15, 10, 15, 15, 15, 40, 55, 25, 20]),
    ("reverse", [65, 60, 55, 45, 45, 40, 35, 35, 30, 30]),
    ("steep", [10, 10, 15, 20, 30, 45, 55, 65, 80, 95]),
    ("flat", [50, 50, 50, 50, 45, 50, 45, 50, 50, 45]),
    ("severe", [70, 75, 80, 75, 85, 90, 85, 95, 95, 95]),
    ("asymmetric-better", [20, 30, 30, 30, 30, 30, 40, 35, 40, 45]),
    ("asymmetric-worse", [45, 55, 60, 55, 65, 65, 75, 80, 80, 85]),
  ].map { name, thresholds in
    let frequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
    return (
      name,
      Audiogram(
        validated: zip(frequencies, thresholds).map {
          Audiogram.Point(frequency: $0, threshold: $1)
        })
    )
  }

  /// The preset of one ear with this audiogram, according to the default rule.
  static func ear(
    _ audiogram: Audiogram, discomfort: Audiogram? = nil, techLevel: Int = 3
  ) throws -> EarPreset {
    let profile = HearingProfile(left: audiogram, leftDiscomfort: discomfort)
    guard let ear = try Fitting.techLevel(techLevel).preset(for: profile).left else {
      throw CocoaError(.keyValueValidation)
    }
    return ear
  }
}

/// A steady sound, described by third-octave levels in dB SPL from 63 Hz to 16 kHz. The levels
/// after amplification are calculated without rendering. The gain in each band depends on the level
/// in this band.
struct ThirdOctaveSound {
  static let centers: [Double] = [
    63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150,
    4000, 5000, 6300, 8000, 10000, 12500, 16000,
  ]

  var levels: [Double]
  /// The difference in dB between the level that a processor's detector measures and the RMS level.
  /// The cause is the short attack time and the long release time. The values were checked against
  /// rendered sound.
  var detectorRise: Double

  /// Speech up to 8 kHz, with the levels of Byrne et al. (1994). Recorded speech also ends at about
  /// 8 kHz.
  static func speech(_ level: Double) -> ThirdOctaveSound {
    let at70: [Double] = [
      38.6, 43.5, 54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1, 62.1, 60.5, 56.8, 53.7, 53.0, 52.0,
      48.7, 48.1, 46.8, 45.6, 44.5, 44.3, 43.7,
    ]
    return ThirdOctaveSound(
      levels: at70.map { $0 - 70 + level } + [-40, -40, -40], detectorRise: 8)
  }

  /// Noise from 20 Hz to 20 kHz. It has equal power per octave. If `isWhite` is true, it has equal
  /// power per Hz.
  static func noise(_ level: Double, isWhite: Bool = false) -> ThirdOctaveSound {
    var edges = centers.map { $0 * exp2(-1.0 / 6) } + [20_000]
    edges[0] = 20
    let widths = zip(edges, edges.dropFirst()).map { isWhite ? $1 - $0 : log($1 / $0) }
    let all = widths.reduce(0, +)
    return ThirdOctaveSound(
      levels: widths.map { level + 10 * log10($0 / all) }, detectorRise: 2.5)
  }

  var overall: Double { 10 * log10(levels.reduce(0) { $0 + pow(10, $1 / 10) }) }

  /// The levels in dB SPL in the frequency bands of the prescription rules.
  private var bandLevels: [Double] {
    let bands = PrescriptionBands.centers
    let edges = [0] + zip(bands, bands.dropFirst()).map { ($0 * $1).squareRoot() } + [1e9]
    return bands.indices.map { band in
      10
        * log10(
          Self.centers.indices.reduce(1e-9) { sum, third in
            let (low, high) = (
              Self.centers[third] * exp2(-1.0 / 6), Self.centers[third] * exp2(1.0 / 6)
            )
            let shared = max(0, min(high, edges[band + 1]) - max(low, edges[band]))
            return sum + pow(10, levels[third] / 10) * shared / (high - low)
          })
    }
  }

  /// The sound after amplification. The gain depends on the frequency and on the level in the band.
  func amplified(by gain: (_ frequency: Double, _ level: Double) -> Double) -> ThirdOctaveSound {
    let table = FrequencyTable(
      frequencies: PrescriptionBands.centers,
      values: zip(PrescriptionBands.centers, bandLevels).map { gain($0, $1 + detectorRise) })
    var sound = self
    for (third, center) in Self.centers.enumerated() {
      sound.levels[third] += table.value(at: center)
    }
    return sound
  }

  func amplified(by ear: EarPreset) -> ThirdOctaveSound {
    amplified { frequency, level in
      let curve = ear.curve(at: frequency)
      let gain = ear.gain(at: frequency, inputLevel: level)
      return min(gain, (curve.maximumOutput ?? .infinity) - level)
    }
  }

  func amplified(by rule: PrescriptionRule, _ audiogram: Audiogram) -> ThirdOctaveSound {
    amplified { rule.insertionGain(for: audiogram, at: $0, inputLevel: $1) }
  }
}
