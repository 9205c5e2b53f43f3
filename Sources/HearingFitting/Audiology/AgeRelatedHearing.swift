/// The median thresholds of people of a given age and sex, if age is the only cause of hearing
/// loss.
///
///     let hearing = try AgeRelatedHearing(age: 60, sex: .male)
///     hearing.audiogram.threshold(at: 4000)                     // 20.21 dB HL
///     let profile = HearingProfile(estimatedFrom: hearing)      // method: .estimate
///
/// Half of all people of the same age and sex have thresholds above the median. The thresholds of
/// some people are 20 dB or more above the median. The package uses estimated thresholds only if an
/// app requests an estimate. The method of a profile with estimated thresholds is
/// ``MeasurementMethod/estimate``.
///
/// Source: ISO 7029:2017. Between 18 years and a higher age, the median threshold rises by
/// a · (age − 18)^b dB. ISO 7029 contains the coefficients a and b for 11 frequencies from 125 to
/// 8000 Hz. The median threshold at the age of 18 is assumed to be 0 dB HL.
public struct AgeRelatedHearing: Sendable, Equatable {
  /// The sexes that ISO 7029 distinguishes.
  public enum Sex: String, Sendable, Hashable, CaseIterable, Codable {
    /// Female, as in ISO 7029.
    case female
    /// Male, as in ISO 7029.
    case male
  }

  /// The error for an age that is not a number or is outside ``ageRange``.
  public typealias Invalid = InvalidValue

  /// The ages that ISO 7029 covers: 18 to 80 years.
  public static let ageRange: ClosedRange<Double> = 18...80

  /// The age of the people in years.
  public let age: Double
  /// The sex of the people.
  public let sex: Sex

  /// Creates the median hearing of people with the given sex and age in years.
  ///
  /// - Throws: ``Invalid`` if ISO 7029 does not cover the age.
  public init(age: Double, sex: Sex) throws(Invalid) {
    try Invalid.check(age, in: Self.ageRange, at: "age")
    self.age = age
    self.sex = sex
  }

  /// The median thresholds from 125 to 8000 Hz. The same thresholds apply to each ear.
  public var audiogram: Audiogram {
    let shifts = sex == .male ? Self.male : Self.female
    return Audiogram(
      validated: zip(PrescriptionBands.centers, shifts).map { frequency, shift in
        let threshold = shift.factor * CMath.power(age - Self.ageRange.lowerBound, shift.exponent)
        return Audiogram.Point(frequency: frequency, threshold: threshold.roundedToMillionth)
      })
  }

  /// The coefficients a (`factor`) and b (`exponent`) of ISO 7029 for men. There is one pair for
  /// each centre frequency of the ``PrescriptionBands``.
  private static let male: [(factor: Double, exponent: Double)] = [
    (2.5e-06, 3.841), (0.000139, 2.832), (0.000459, 2.537), (0.00057, 2.512), (0.000702, 2.494),
    (0.00109, 2.446), (0.00156, 2.404), (0.00254, 2.35), (0.0034, 2.325), (0.00453, 2.315),
    (0.00506, 2.328),
  ]

  private static let female: [(factor: Double, exponent: Double)] = [
    (0.000616, 2.451), (0.000398, 2.568), (0.000261, 2.708), (0.000225, 2.775), (0.000221, 2.805),
    (0.000253, 2.813), (0.000312, 2.792), (0.000488, 2.728), (0.000737, 2.66), (0.00147, 2.539),
    (0.00253, 2.439),
  ]
}

extension HearingProfile {
  /// Creates a profile with the median thresholds in both ears. The ``method`` of the profile is
  /// ``MeasurementMethod/estimate``.
  ///
  ///     HearingProfile(estimatedFrom: try AgeRelatedHearing(age: 60, sex: .male))
  public init(estimatedFrom hearing: AgeRelatedHearing) {
    self.init(left: hearing.audiogram, right: hearing.audiogram, method: .estimate)
  }
}
