/// The attenuation of ambient noise by a headphone, in dB for each third-octave band. With a higher
/// attenuation, the room may be louder during a hearing test.
///
///     let levels: [Double: Double] = [250: 31, 500: 28, 1000: 22]     // measured by the app
///     NoiseAttenuation.supraAural.excess(of: levels)    // [250: 12, 500: 10]: dB above the limits
///
/// If the level of the noise is within the limit in every band, a threshold of 0 dB HL is measured
/// with an error of at most 2 dB. The limits for supra-aural headphones are from ISO 8253-1:2010,
/// table 2. The limits for another type of headphone depend on the attenuation of the headphone
/// (table 3). For example, if the headphone attenuates a band by 5 dB more than a supra-aural
/// headphone, the limit of the band is 5 dB higher.
public struct NoiseAttenuation: Sendable, Hashable {
  /// The attenuation of each band. The keys are the centre frequencies of the third-octave bands in
  /// Hz, and the values are in dB. A band without a value has the attenuation of the nearest lower
  /// band with a value. If no lower band has a value, the attenuation is 0 dB.
  public let values: [Double: Double]

  /// Creates an attenuation from one value in dB for each band. The keys are the centre frequencies
  /// of the third-octave bands in Hz.
  public init(values: [Double: Double]) {
    self.values = values
  }

  /// The attenuation without a headphone or with an open headphone: 0 dB.
  public static let none = NoiseAttenuation(values: [:])

  /// The attenuation of a typical supra-aural headphone (TDH 39 with MX-41/AR cushions). Source:
  /// ISO 8253-1:2010, table 3.
  public static let supraAural = NoiseAttenuation(supraAuralValues)

  /// The attenuation of the headphone Sennheiser HDA 200. The attenuation below 63 Hz is 0 dB.
  /// Source: ISO 8253-1:2010, table 3.
  public static let hda200 = NoiseAttenuation([
    0, 0, 0, 17, 16, 15, 15, 15, 16, 16, 18, 20, 23, 25, 27, 29, 30, 31, 32, 37, 41, 46, 45, 45,
    44,
  ])

  /// The attenuation of insert earphones (Etymotic ER-3A). Source: ISO 8253-1:2010, table 3.
  public static let insertEarphones = NoiseAttenuation([
    33, 33, 33, 33, 33, 33, 33, 34, 35, 36, 37, 37, 38, 37, 37, 37, 35, 34, 33, 35, 37, 40, 41,
    42, 43,
  ])

  /// Creates an attenuation from one value in dB for each band of `bands`.
  private init(_ values: [Double]) {
    self.values = Dictionary(uniqueKeysWithValues: zip(Self.bands, values))
  }

  /// The attenuation in dB in the band with the centre frequency `frequency`, in Hz.
  private func value(at frequency: Double) -> Double {
    let known = values.keys.filter { $0 <= frequency }.max()
    return known.flatMap { values[$0] } ?? 0
  }

  /// The excess of the noise over the limit in each band. The keys are the centre frequencies in
  /// Hz, and the values are in dB. The result contains only the bands in which the noise exceeds
  /// the limit.
  ///
  /// ISO 8253-1 has limits up to 8 kHz. The bands at 10, 12.5 and 16 kHz have the limit of the band
  /// at 8 kHz. The bands below 31.5 Hz have no limit. For a frequency that is not a positive
  /// number, the excess is infinite. If no frequency is above 20 Hz, the frequencies are probably
  /// in kHz. In this case, the excess is infinite for every frequency.
  ///
  /// - Parameters:
  ///   - levels: The levels of the noise in the room. The keys are the centre frequencies of the
  ///     third-octave bands in Hz, and the values are in dB SPL. The frequencies may be nominal or
  ///     exact. A band without a level counts as quiet.
  ///   - lowestLevel: The lowest threshold in dB HL that the test measures. A positive
  ///     `lowestLevel` raises all limits by the same number of dB.
  ///   - lowestFrequency: The lowest frequency of the test in Hz. If the lowest frequency is 250 Hz
  ///     or higher, the limits of the low bands are higher. If the lowest frequency is 500 Hz or
  ///     higher, these limits rise further.
  public func excess(
    of levels: [Double: Double], lowestLevel: Double = 0, lowestFrequency: Double = 125
  ) -> [Double: Double] {
    let isInHertz = levels.keys.contains { $0 > 20 && $0.isFinite }
    var excess: [Double: Double] = [:]
    for (frequency, level) in levels {
      guard isInHertz, frequency > 0, frequency.isFinite else {
        excess[frequency] = .infinity
        continue
      }
      guard let band = Self.band(nearest: frequency) else { continue }
      let limit =
        Self.limits(lowestFrequency: lowestFrequency)[band] - Self.supraAuralValues[band]
        + value(at: Self.bands[band])
      let difference = level - (limit + max(0, lowestLevel))
      if !(difference <= 0) { excess[frequency] = difference }
    }
    return excess
  }

  /// The index of the band whose centre is near a frequency in Hz; nil if there is no such band.
  /// For the bands at 10, 12.5 and 16 kHz, the result is the index of the band at 8 kHz.
  private static func band(nearest frequency: Double) -> Int? {
    if (8000..<18_000).contains(frequency) { return bands.count - 1 }
    let distances = bands.map { abs(CMath.binaryLogarithm(frequency / $0)) }
    let nearest = distances.indices.min { distances[$0] < distances[$1] }
    // A third-octave band ends 1/6 octave from its centre frequency. The limit of 0.18 octaves
    // includes a small tolerance, because nominal frequencies are rounded.
    return nearest.flatMap { distances[$0] < 0.18 ? $0 : nil }
  }

  /// The nominal centre frequencies in Hz from ISO 8253-1:2010, table 2.
  private static let bands: [Double] = [
    31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000,
    2500, 3150, 4000, 5000, 6300, 8000,
  ]

  /// The limits in dB SPL for the noise in a room, for a supra-aural headphone. There is one limit
  /// for each band of `bands`.
  private static func limits(lowestFrequency: Double) -> [Double] {
    let low: [Double] =
      switch lowestFrequency {
      case 500...: [78, 73, 68, 64, 59, 55, 51, 47, 42, 37, 33, 24, 18, 18]
      case 250...: [66, 62, 57, 52, 48, 43, 39, 30, 20, 19, 18, 18, 18, 18]
      default: [56, 52, 47, 42, 38, 33, 28, 23, 20, 19, 18, 18, 18, 18]
      }
    return low + [20, 23, 25, 27, 30, 32, 34, 36, 35, 34, 33]
  }

  private static let supraAuralValues: [Double] = [
    0, 0, 0, 1, 1, 2, 3, 4, 5, 5, 5, 6, 7, 9, 11, 15, 18, 21, 26, 28, 31, 32, 29, 26, 24,
  ]
}
