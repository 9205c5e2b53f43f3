/// Noise of a room in third-octave bands, and whether it is low enough for a hearing test.
///
///     let noise = AmbientNoise(levels: [250: 31, 500: 28, 1000: 22])
///     noise.excess(attenuation: .supraAural)     // [250: 12, 500: 10]: dB above the limits
///
/// A threshold of 0 dB HL is measured with an error of at most 2 dB where no band is above its
/// limit. Source: ISO 8253-1:2010, maximum permissible ambient levels for supra-aural headphones
/// and tones from 125 Hz; less the attenuation of those headphones, it is the limit at the ear, to
/// which the attenuation of any other headphone is added.
public struct AmbientNoise: Sendable, Hashable {
  /// How much a headphone attenuates the noise around it, in dB by third-octave band.
  public struct Attenuation: Sendable, Hashable {
    /// dB by centre frequency in Hz; a band that is missing counts as its nearest lower one.
    public let values: [Double: Double]

    /// An attenuation in dB by centre frequency in Hz.
    public init(values: [Double: Double]) {
      self.values = values
    }

    /// An open headphone or none: no attenuation.
    public static let none = Attenuation(values: [:])

    /// TDH 39 with MX-41/AR cushions. Source: ISO 8253-1:2010.
    public static let supraAural = Attenuation(values: AmbientNoise.supraAuralAttenuation)

    /// Sennheiser HDA 200. Source: ISO 389-8:2004, annex B.
    public static let hda200 = Attenuation(values: [
      125: 14.5, 250: 16, 500: 22.5, 1000: 28.5, 2000: 32, 4000: 45.5, 8000: 44,
    ])

    /// The attenuation in dB in a band.
    func value(at frequency: Double) -> Double {
      let known = values.keys.filter { $0 <= frequency }.max()
      return known.flatMap { values[$0] } ?? 0
    }
  }

  /// dB SPL by centre frequency of the third-octave band in Hz.
  public let levels: [Double: Double]

  /// Levels as an app measured them; bands that were not measured count as quiet.
  public init(levels: [Double: Double]) {
    self.levels = levels
  }

  /// By how many dB the bands are above their limits, where they are.
  ///
  /// - Parameters:
  ///   - attenuation: What the headphone keeps out.
  ///   - lowestLevel: The softest threshold in dB HL that has to be measured; all limits rise by as
  ///     much.
  public func excess(
    attenuation: Attenuation, lowestLevel: Double = 0
  ) -> [Double: Double] {
    var excess: [Double: Double] = [:]
    for (frequency, level) in levels {
      guard let limit = Self.limit(at: frequency) else { continue }
      let difference = level - (limit + attenuation.value(at: frequency) + max(0, lowestLevel))
      if !(difference <= 0) { excess[frequency] = difference }
    }
    return excess
  }

  /// The limit in dB SPL at an uncovered ear; nil for a band that has none.
  static func limit(at frequency: Double) -> Double? {
    guard let covered = coveredLimits[frequency],
      let attenuation = supraAuralAttenuation[frequency]
    else { return nil }
    return covered - attenuation
  }

  private static let coveredLimits: [Double: Double] = [
    125: 28, 160: 23, 200: 20, 250: 19, 315: 18, 400: 18, 500: 18, 630: 18, 800: 20, 1000: 23,
    1250: 25, 1600: 27, 2000: 30, 2500: 32, 3150: 34, 4000: 36, 5000: 35, 6300: 34, 8000: 33,
  ]

  private static let supraAuralAttenuation: [Double: Double] = [
    125: 3, 160: 4, 200: 5, 250: 5, 315: 5, 400: 6, 500: 7, 630: 9, 800: 11, 1000: 15, 1250: 18,
    1600: 21, 2000: 26, 2500: 28, 3150: 31, 4000: 32, 5000: 29, 6300: 26, 8000: 24,
  ]
}
