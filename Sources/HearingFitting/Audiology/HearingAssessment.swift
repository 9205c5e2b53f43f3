/// What an audiologist would say first of a profile: averages, grade, asymmetry, and whether to see
/// a professional.
///
///     let assessment = HearingAssessment(of: profile)
///     if let grade = assessment.grade { print("\(grade.rawValue) hearing loss") }
///     for finding in assessment.findings { print(finding) }
///
/// It reads air-conduction thresholds only: it cannot tell a sensorineural loss, which the
/// prescription rules assume, from a conductive one, and it is no diagnosis.
public struct HearingAssessment: Sendable, Equatable {
  /// The average of the left ear in dB HL; nil: unknown (see ``Audiogram/pureToneAverage``).
  public let leftAverage: Double?
  /// The average of the right ear in dB HL; nil: unknown.
  public let rightAverage: Double?
  /// The grade of the better ear, which is that of the person; nil where the average of either ear
  /// is unknown, since the better one is then unknown, too.
  public let grade: HearingGrade?
  /// The ear with the lower average; nil where either is unknown or both are the same.
  public let betterEar: Ear?
  /// Whether the loss is one-sided: below 20 dB HL in the better ear, 35 dB HL or more in the other
  /// ("unilateral" in the World Health Organization's grades of 2021).
  public let isUnilateral: Bool
  /// Whatever an audiologist would not pass over; any of them is a reason to see one.
  public let findings: [Finding]

  /// Whether a professional should be seen before the profile is relied on: there is at least one
  /// of the ``findings``.
  public var advisesProfessional: Bool { !findings.isEmpty }

  /// The frequencies in Hz at which the ears are compared: those of the average, and 3000 Hz.
  public static let comparedFrequencies: [Double] = [500, 1000, 2000, 3000, 4000]

  /// The difference between the ears in dB from which on hearing is asymmetric.
  public static let asymmetryLimit = 15.0

  /// Looks at a profile.
  ///
  /// Hearing counts as asymmetric where the ears differ by ``asymmetryLimit`` or more at any one of
  /// the ``comparedFrequencies`` that lies within what was measured of both. One frequency is
  /// enough, because this is advice to have a look and not a diagnosis: whenever the averages differ
  /// by as much, some frequency does. 3000 Hz is among them because a difference of 15 dB there
  /// alone is a reason to look further (Saliba, Martineau & Chagnon, "Asymmetric hearing loss: rule
  /// 3,000", Otology & Neurotology 30, 2009). 250, 6000 and 8000 Hz are not, because the way a
  /// headphone sits changes them by 10 dB and more from one test to the next.
  public init(of profile: HearingProfile) {
    leftAverage = profile.left?.pureToneAverage
    rightAverage = profile.right?.pureToneAverage
    if let left = leftAverage, let right = rightAverage {
      let (better, worse) = (min(left, right), max(left, right))
      grade = HearingGrade(pureToneAverage: better)
      betterEar = left == right ? nil : left < right ? .left : .right
      isUnilateral = better < 20 && worse >= 35
    } else {
      (grade, betterEar, isUnilateral) = (nil, nil, false)
    }
    findings = Self.findings(of: profile)
  }

  /// The average of one ear in dB HL; nil: unknown.
  public subscript(ear: Ear) -> Double? {
    switch ear {
    case .left: leftAverage
    case .right: rightAverage
    }
  }

  private static func findings(of profile: HearingProfile) -> [Finding] {
    var findings: [Finding] = []
    if profile.method == .estimate { findings.append(.estimated) }
    for ear in Ear.allCases {
      guard let audiogram = profile[ear] else {
        findings.append(.unknownEar(ear))
        continue
      }
      let missing = audiogram.missingAveragedFrequencies
      if !missing.isEmpty { findings.append(.missingFrequencies(ear, frequencies: missing)) }
    }
    guard let left = profile.left, let right = profile.right else { return findings }
    for frequency in comparedFrequencies
    where left.measuredRange.contains(frequency) && right.measuredRange.contains(frequency) {
      let difference = left.threshold(at: frequency) - right.threshold(at: frequency)
      let rounded = abs(difference).roundedToMillionth
      guard rounded >= asymmetryLimit else { continue }
      findings.append(
        .asymmetry(
          frequency: frequency, difference: rounded, poorerEar: difference > 0 ? .left : .right))
    }
    return findings
  }
}
