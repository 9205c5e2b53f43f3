/// The plane to which a level in dB SPL refers, such as a free field or a coupler.
///
///     LevelPlane.freeField.level(100, at: 4000, in: .coupler)     // 110.9
///     LevelPlane.coupler.referenceThreshold(at: 1000)             // 0 dB SPL
///
/// Unless stated otherwise, all sound pressure levels of this package (input levels, maximum
/// outputs, discomfort levels) refer to a free field at the listener's head. Legal limits refer to
/// a 2 cm³ coupler. See <doc:SoundPressureLevels>.
///
/// Levels in two planes correspond to each other if they have the same hearing level. Each plane
/// has a reference threshold: the level of a tone at 0 dB HL (``referenceThreshold(at:)``). A
/// conversion adds the difference between the two reference thresholds. Reference thresholds are
/// averages of adults. An individual ear may differ by 5 dB or more, and by 10 dB above 4 kHz. In a
/// free field, both ears hear the tone. This lowers the threshold by about 2 dB.
///
/// Sources: ISO 389-7 for the free field. For the ear simulator (IEC 60318-4) and the 2 cm³ coupler
/// (HA-1, IEC 60318-5), the sources are ISO 389-2 and ANSI S3.6, which contain the reference
/// thresholds of insert earphones.
public enum LevelPlane: String, Sendable, Hashable, CaseIterable {
  /// A free field at the centre of the listener's head, with the listener absent.
  case freeField
  /// An occluded-ear simulator, which represents the level at the ear drum.
  case earSimulator
  /// A 2 cm³ coupler, as in 21 CFR 800.30 and ANSI S3.22.
  case coupler

  /// The name of the plane in reports, such as "2 cm³ coupler".
  public var title: String {
    switch self {
    case .freeField: "free field"
    case .earSimulator: "ear simulator"
    case .coupler: "2 cm³ coupler"
    }
  }

  /// The level in dB SPL of a tone at 0 dB HL, at a frequency above 0 Hz. For the coupler and the
  /// ear simulator, the level is constant below 125 Hz and above 8 kHz.
  public func referenceThreshold(at frequency: Double) -> Double {
    switch self {
    case .freeField: MinimumAudibleField.level(at: frequency)
    case .earSimulator: Self.earSimulatorThresholds.value(at: frequency)
    case .coupler: Self.couplerThresholds.value(at: frequency)
    }
  }

  /// Converts the level of a tone from this plane to `plane`. Both levels are in dB SPL.
  public func level(_ level: Double, at frequency: Double, in plane: LevelPlane) -> Double {
    level + plane.referenceThreshold(at: frequency) - referenceThreshold(at: frequency)
  }

  private static let frequencies: [Double] = [
    125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000,
  ]
  private static let earSimulatorThresholds = FrequencyTable(
    frequencies: frequencies,
    values: [28, 17.5, 9.5, 6, 5.5, 9.5, 11.5, 13, 15, 16, 15.5])
  private static let couplerThresholds = FrequencyTable(
    frequencies: frequencies, values: [26, 14, 5.5, 2, 0, 2, 3, 3.5, 5.5, 2, 0])
}
