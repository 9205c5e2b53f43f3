/// A first assessment of a profile: averages, grade, asymmetry, and whether the listener should see
/// a professional.
///
///     let assessment = HearingAssessment(of: profile)
///     if let grade = assessment.grade { print("\(grade.rawValue) hearing loss") }
///     for finding in assessment.findings { print(finding) }
///
/// The assessment uses only air-conduction thresholds. The assessment therefore cannot distinguish
/// a sensorineural loss from a conductive loss. The prescription rules assume a sensorineural loss.
/// The assessment is not a diagnosis.
public struct HearingAssessment: Sendable, Equatable {
  /// The pure-tone average of the left ear in dB HL (see ``Audiogram/pureToneAverage``); nil if
  /// unknown.
  public let leftAverage: Double?
  /// The pure-tone average of the right ear in dB HL; nil if unknown.
  public let rightAverage: Double?
  /// The grade of the better ear, which is the grade of the person; nil if the pure-tone average of
  /// an ear is unknown.
  public let grade: HearingGrade?
  /// The ear with the lower pure-tone average; nil if an average is unknown or both averages are
  /// equal.
  public let betterEar: Ear?
  /// Whether the hearing loss is unilateral. In a unilateral loss, the pure-tone average is below
  /// 20 dB HL in the better ear, and at least 35 dB HL in the other ear (World Health Organization,
  /// 2021).
  public let isUnilateral: Bool
  /// The reasons to see an audiologist; empty if no reason was found.
  public let findings: [Finding]

  /// True if there is at least one finding. The listener should then see a professional before
  /// using a fitting.
  public var advisesProfessional: Bool { !findings.isEmpty }

  /// The frequencies in Hz at which the ears are compared: the frequencies of the pure-tone
  /// average, and 3000 Hz.
  public static let comparedFrequencies: [Double] = [500, 1000, 2000, 3000, 4000]

  /// The minimum difference in dB between the thresholds of the two ears that counts as asymmetry.
  public static let asymmetryLimit = 15.0

  /// Assesses the hearing of the listener with this profile.
  ///
  /// Hearing is asymmetric if the thresholds of the ears differ by ``asymmetryLimit`` or more at
  /// one of the ``comparedFrequencies``. A frequency is compared only if it is within the measured
  /// range of both ears. If an ear has no point at a compared frequency, the threshold is
  /// interpolated. A difference at a single frequency counts as asymmetry, because the assessment
  /// is advice and not a diagnosis. The frequency 3000 Hz is included, because a difference of 15
  /// dB at 3000 Hz alone is a reason for further tests (Saliba, Martineau & Chagnon, "Asymmetric
  /// hearing loss: rule 3,000", Otology & Neurotology 30, 2009). The frequencies 250, 6000 and 8000
  /// Hz are excluded, because measured thresholds at these frequencies vary by 10 dB or more with
  /// the position of the headphones.
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

  /// The pure-tone average of one ear in dB HL; nil if unknown.
  public subscript(ear: Ear) -> Double? { ear == .left ? leftAverage : rightAverage }

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

  /// The findings in plain English, one sentence for each finding. All findings of asymmetry share
  /// one sentence.
  public var summary: [String] {
    var asymmetries: [(frequency: Double, difference: Double, poorer: Ear)] = []
    var sentences: [String] = []
    for finding in findings {
      if case .asymmetry(let frequency, let difference, let ear) = finding {
        asymmetries.append((frequency, difference, ear))
      } else {
        sentences.append("\(finding.description); have hearing measured by a professional")
      }
    }
    guard let largest = asymmetries.map({ $0.difference }).max() else { return sentences }
    let poorer = Set(asymmetries.map { $0.poorer })
    let which = poorer.count == 1 ? "the \(asymmetries[0].poorer.rawValue) ear is" : "one ear is"
    let frequencies = asymmetries.map { $0.frequency.plain }.joined(separator: ", ")
    sentences.append(
      "\(which) up to \(largest.plain) dB poorer than the other (\(frequencies) Hz); see a "
        + "professional")
    return sentences
  }

  /// A reason to see an audiologist.
  public enum Finding: Sendable, Equatable, CustomStringConvertible {
    /// The thresholds are estimates, not measurements.
    case estimated
    /// An ear has no audiogram.
    case unknownEar(Ear)
    /// An ear has no point at some of the ``Audiogram/averagedFrequencies``. `frequencies` lists
    /// these frequencies in Hz.
    case missingFrequencies(Ear, frequencies: [Double])
    /// At a frequency in Hz, the thresholds of the ears differ by
    /// ``HearingAssessment/asymmetryLimit`` dB or more.
    case asymmetry(frequency: Double, difference: Double, poorerEar: Ear)

    /// The finding as one line of plain English.
    public var description: String {
      switch self {
      case .estimated:
        "the thresholds were estimated from age and sex, not measured"
      case .unknownEar(let ear):
        "the \(ear.rawValue) ear was not measured"
      case .missingFrequencies(let ear, let frequencies):
        "the \(ear.rawValue) ear was not measured at "
          + "\(frequencies.map { $0.plain }.joined(separator: ", ")) Hz"
      case .asymmetry(let frequency, let difference, let poorerEar):
        "at \(frequency.plain) Hz the \(poorerEar.rawValue) ear is \(difference.plain) dB poorer "
          + "than the other"
      }
    }
  }
}
