/// A first assessment of a listener's hearing. The assessment contains the pure-tone averages, the
/// grade of the hearing loss, and the reasons to see a professional.
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
  /// The listener's grade of hearing loss; nil if the pure-tone average of an ear is unknown. The
  /// listener's grade is the grade of the better ear.
  public let grade: HearingGrade?
  /// The ear with the lower pure-tone average; nil if an average is unknown or both averages are
  /// equal.
  public let betterEar: Ear?
  /// Whether the hearing loss is unilateral. A hearing loss is unilateral if the pure-tone average
  /// is below 20 dB HL in the better ear and at least 35 dB HL in the other ear. Source: World
  /// Health Organization (2021).
  public let isUnilateral: Bool
  /// The reasons to see an audiologist; empty if no reason was found.
  public let findings: [Finding]

  /// Whether the listener should see a professional before the first use of a fitting. True if
  /// there is at least one finding.
  public var advisesProfessional: Bool { !findings.isEmpty }

  /// The frequencies in Hz at which the ears are compared: the frequencies of the pure-tone
  /// average, and 3000 Hz.
  public static let comparedFrequencies: [Double] = [500, 1000, 2000, 3000, 4000]

  /// The minimum difference in dB between the thresholds of the two ears that counts as asymmetry:
  /// 15 dB at one frequency.
  public static let asymmetryLimit = 15.0

  /// Assesses the hearing of the listener with this profile.
  ///
  /// Hearing is asymmetric if the thresholds of the ears differ by ``asymmetryLimit`` or more at
  /// one of the ``comparedFrequencies``. A frequency is compared only if it is within the measured
  /// range of both ears. If an ear has no point at a compared frequency, the threshold is
  /// interpolated. The assessment is advice and not a diagnosis. Therefore a difference at a single
  /// frequency counts as asymmetry.
  ///
  /// A difference of 15 dB at 3000 Hz alone is a reason for further tests. Therefore the ears are
  /// also compared at 3000 Hz. Source: Saliba, Martineau & Chagnon, "Asymmetric hearing loss: rule
  /// 3,000", Otology & Neurotology 30 (2009). At 250, 6000 and 8000 Hz, a different position of the
  /// headphones changes the measured threshold by 10 dB or more. Therefore the ears are not
  /// compared at 250, 6000 and 8000 Hz.
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
      let implausible = profile.discomfort(ear)?.points.filter(audiogram.isAboveDiscomfort)
      let average = audiogram.pureToneAverage ?? 0
      let lists: [([Double], (Ear, [Double]) -> Finding)] = [
        (audiogram.missingAveragedFrequencies, Finding.missingFrequencies),
        (audiogram.points.filter { $0.isNoResponse }.map { $0.frequency }, Finding.noResponse),
        (implausible?.map { $0.frequency } ?? [], Finding.discomfortBelowThreshold),
      ]
      for (frequencies, finding) in lists where !frequencies.isEmpty {
        findings.append(finding(ear, frequencies))
      }
      if average >= HearingGrade.profound.minimumAverage { findings.append(.profoundLoss(ear)) }
    }
    guard let left = profile.left, let right = profile.right else { return findings }
    for frequency in comparedFrequencies
    where left.measuredRange.contains(frequency) && right.measuredRange.contains(frequency) {
      let difference = left.threshold(at: frequency) - right.threshold(at: frequency)
      let rounded = abs(difference).roundedToMillionth
      guard rounded >= asymmetryLimit else { continue }
      let (poorer, better) = difference > 0 ? (left, right) : (right, left)
      findings.append(
        .asymmetry(
          frequency: frequency, difference: rounded, poorerEar: difference > 0 ? .left : .right,
          isMinimum: poorer.isUnanswered(at: frequency) && !better.isUnanswered(at: frequency)))
    }
    return findings
  }

  /// The findings in plain English, one sentence for each finding. A single sentence describes all
  /// findings of asymmetry.
  public var summary: [String] {
    var sentences = findings.compactMap { finding in
      if case .asymmetry = finding { return String?.none }
      return "\(finding.description); have hearing measured by a professional"
    }
    if let (difference, frequencies, ears) = asymmetry {
      let which = ears.count == 1 ? "the \(ears[0].rawValue) ear is" : "one ear is"
      sentences.append(
        "\(which) \(difference) poorer than the other (\(frequencies.inHertz)); see a professional")
    }
    return sentences
  }

  /// A summary of the asymmetry; nil if no asymmetry was found. `difference` is the largest
  /// difference as text, such as "at least 86.4 dB". `frequencies` lists the asymmetric frequencies
  /// in Hz. `poorerEars` contains each ear that has the higher threshold at one of the asymmetric
  /// frequencies.
  package var asymmetry: (difference: String, frequencies: [Double], poorerEars: [Ear])? {
    var (largest, frequencies, ears, bound) = (0.0, [Double](), Set<Ear>(), "up to ")
    for case .asymmetry(let frequency, let difference, let ear, let isMinimum) in findings {
      largest = max(largest, difference)
      frequencies.append(frequency)
      ears.insert(ear)
      if isMinimum { bound = "at least " }
    }
    return ears.isEmpty ? nil : (bound + largest.inDecibels, frequencies, Array(ears))
  }

  /// A reason to see an audiologist.
  public enum Finding: Sendable, Equatable, CustomStringConvertible {
    /// The thresholds are estimates, not measurements.
    case estimated
    /// An ear has no audiogram.
    case unknownEar(Ear)
    /// An ear has no point at some of the ``Audiogram/averagedFrequencies``. `frequencies` lists
    /// the missing frequencies in Hz.
    case missingFrequencies(Ear, frequencies: [Double])
    /// The listener did not respond to the tones at some frequencies. `frequencies` lists these
    /// frequencies in Hz. Without a response, the true threshold is higher than the tested level.
    case noResponse(Ear, frequencies: [Double])
    /// The pure-tone average of an ear is 80 dB HL or more (``HearingGrade/profound``).
    case profoundLoss(Ear)
    /// At the listed frequencies in Hz, the measured discomfort level of an ear is below the
    /// threshold. Either the discomfort level or the threshold must be wrong. A fitting uses the
    /// typical discomfort level instead.
    case discomfortBelowThreshold(Ear, frequencies: [Double])
    /// The thresholds of the ears differ by ``HearingAssessment/asymmetryLimit`` dB or more at one
    /// frequency in Hz. If `isMinimum` is true, the poorer ear did not respond, so the true
    /// difference is greater.
    case asymmetry(frequency: Double, difference: Double, poorerEar: Ear, isMinimum: Bool = false)

    /// The finding as one line of plain English.
    public var description: String {
      switch self {
      case .estimated:
        "the thresholds were estimated from age and sex, not measured"
      case .unknownEar(let ear):
        "the \(ear.rawValue) ear was not measured"
      case .missingFrequencies(let ear, let frequencies):
        "the \(ear.rawValue) ear was not measured at \(frequencies.inHertz)"
      case .noResponse(let ear, let frequencies):
        "the \(ear.rawValue) ear did not respond at \(frequencies.inHertz)"
      case .profoundLoss(let ear):
        "the \(ear.rawValue) ear has a profound or complete hearing loss"
      case .discomfortBelowThreshold(let ear, let frequencies):
        "the discomfort level of the \(ear.rawValue) ear is below the threshold at "
          + frequencies.inHertz
      case .asymmetry(let frequency, let difference, let poorerEar, let isMinimum):
        "at \(frequency.plain) Hz the \(poorerEar.rawValue) ear is "
          + "\(isMinimum ? "at least " : "")\(difference.inDecibels) poorer than the other"
      }
    }
  }
}

extension Double {
  /// A level difference in dB as text with at most one decimal, such as "86.4 dB".
  fileprivate var inDecibels: String { "\(roundedToTenth.plain) dB" }
}

extension [Double] {
  /// Frequencies as text, such as "500, 1000 Hz".
  fileprivate var inHertz: String { map { $0.plain }.joined(separator: ", ") + " Hz" }
}
