/// The grade of a hearing loss, according to the World Health Organization.
///
///     HearingGrade(pureToneAverage: 46.25)   // .moderate
///
/// | grade | average at 500, 1000, 2000 and 4000 Hz, in dB HL |
/// |---|---|
/// | normal | below 20 |
/// | mild | 20 to below 35 |
/// | moderate | 35 to below 50 |
/// | moderately severe | 50 to below 65 |
/// | severe | 65 to below 80 |
/// | profound | 80 to below 95 |
/// | complete | 95 and above |
///
/// A person's grade is the grade of the better ear (see ``HearingAssessment``). A grade is not a
/// diagnosis and does not identify a cause.
///
/// Source: World Health Organization, "World report on hearing" (2021), grades of hearing loss.
public enum HearingGrade: String, Sendable, Hashable, CaseIterable, Comparable, Codable {
  /// A pure-tone average below 20 dB HL.
  case normal
  /// A pure-tone average of 20 to below 35 dB HL.
  case mild
  /// A pure-tone average of 35 to below 50 dB HL.
  case moderate
  /// A pure-tone average of 50 to below 65 dB HL.
  case moderatelySevere = "moderately severe"
  /// A pure-tone average of 65 to below 80 dB HL.
  case severe
  /// A pure-tone average of 80 to below 95 dB HL.
  case profound
  /// A pure-tone average of 95 dB HL or more.
  case complete

  /// The grade for a pure-tone average in dB HL. The average must not be NaN.
  public init(pureToneAverage: Double) {
    precondition(!pureToneAverage.isNaN, "the pure-tone average is not a number")
    self = Self.allCases.last { $0.minimumAverage <= pureToneAverage } ?? .normal
  }

  /// The minimum pure-tone average of the grade in dB HL, inclusive. For ``normal``, the minimum is
  /// −∞.
  package var minimumAverage: Double {
    switch self {
    case .normal: -.infinity
    case .mild: 20
    case .moderate: 35
    case .moderatelySevere: 50
    case .severe: 65
    case .profound: 80
    case .complete: 95
    }
  }

  /// Whether the first grade means a smaller hearing loss than the second grade.
  public static func < (first: HearingGrade, second: HearingGrade) -> Bool {
    first.minimumAverage < second.minimumAverage
  }
}
