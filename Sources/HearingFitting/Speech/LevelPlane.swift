/// The point of measurement to which a level in dB SPL refers, such as a point in a free field or
/// in a coupler.
///
///     LevelPlane.freeField.level(100, at: 4000, in: .coupler)     // 110.9
///     LevelPlane.coupler.referenceThreshold(at: 1000)             // 0 dB SPL
///
/// A coupler is a small cavity that replaces the ear in a measurement. In this package, input
/// levels, maximum outputs and discomfort levels in dB SPL refer to a free field at the listener's
/// head. Legal limits refer to a 2 cm³ coupler. See <doc:SoundPressureLevels>.
///
/// Each case of this type is called a plane. Two levels in different planes correspond to each
/// other if both levels mean the same level in dB HL. Each plane has a reference threshold: the
/// level in dB SPL of a tone at 0 dB HL (``referenceThreshold(at:)``). To convert a level to
/// another plane, subtract the reference threshold of the first plane, and add the reference
/// threshold of the other plane. Reference thresholds are averages over adults. The reference
/// threshold of an individual ear may differ from the average by 5 dB or more. Above 4 kHz, the
/// difference may be 10 dB. In a free field, both ears hear the tone. The threshold with both ears
/// is about 2 dB lower than the threshold with one ear.
///
/// Source for the free field: ISO 389-7. Sources for the ear simulator (IEC 60318-4) and the 2 cm³
/// coupler (IEC 60318-5): ISO 389-2 and ANSI S3.6, the reference thresholds of insert earphones.
public enum LevelPlane: String, Sendable, Hashable, CaseIterable {
  /// A free field, measured at the centre of the listener's head while the listener is absent.
  case freeField
  /// An occluded-ear simulator. The level in the simulator represents the level at the eardrum.
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
    case .freeField: Self.minimumAudibleField.value(at: frequency)
    case .earSimulator: Self.earSimulatorThresholds.value(at: frequency)
    case .coupler: Self.couplerThresholds.value(at: frequency)
    }
  }

  /// Converts the level of a tone from this plane to `plane`. Both levels are in dB SPL.
  public func level(_ level: Double, at frequency: Double, in plane: LevelPlane) -> Double {
    level + plane.referenceThreshold(at: frequency) - referenceThreshold(at: frequency)
  }

  /// The minimum audible field: the hearing threshold of a person with normal hearing in a free
  /// field. The person listens with both ears to a pure tone from the front.
  ///
  /// Sources: ISO 389-7 and ISO 226. Between the frequencies of the table, the level is
  /// interpolated linearly in frequency. Outside the table, the level is constant.
  private static let minimumAudibleField = PiecewiseLine(
    x: [
      20, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250,
      1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000, 10000, 12500, 14000, 16000,
    ],
    y: [
      78.5, 68.7, 59.5, 51.1, 44.0, 37.5, 31.5, 26.5, 22.1, 17.9, 14.4, 11.4, 8.6, 6.2, 4.4, 3.0,
      2.2, 2.4, 3.5, 1.7, -1.3, -4.2, -6.0, -5.4, -1.5, 6.0, 12.6, 13.9, 12.3, 18.4, 40.2,
    ])

  private static let earSimulatorThresholds = FrequencyTable(
    frequencies: PrescriptionBands.centers,
    values: [28, 17.5, 9.5, 6, 5.5, 9.5, 11.5, 13, 15, 16, 15.5])
  private static let couplerThresholds = FrequencyTable(
    frequencies: PrescriptionBands.centers, values: [26, 14, 5.5, 2, 0, 2, 3, 3.5, 5.5, 2, 0])
}
