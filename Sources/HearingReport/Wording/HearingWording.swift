import HearingFitting

extension Ear {
  /// The name of the ear: "Left ear" or "Right ear".
  var title: String { self == .left ? "Left ear" : "Right ear" }

  /// Joins the sentences about both ears into one text.
  static func sentences(_ sentence: (Ear) -> String) -> String {
    clinicalOrder.map(sentence).joined(separator: " ")
  }
}

extension Audiogram.Point {
  /// Notes on how the threshold was measured, such as ", masked". The text is empty if there are no
  /// notes.
  var notes: String {
    (isMasked ? ", masked" : "") + (isNoResponse ? ", no response" : "")
  }
}

extension Audiogram {
  /// The level that was measured at a frequency, as text for a clinical table. The text "> " means
  /// no response, "m" means masked, and "l" means clamped. Nil if nothing was measured at the
  /// frequency.
  func measured(at frequency: Double) -> String? {
    points.first { $0.frequency == frequency }.map {
      ($0.isNoResponse ? "> " : "") + $0.threshold.tabular(places: 0) + ($0.isMasked ? " m" : "")
        + ($0.isClamped ? " l" : "")
    }
  }
}

/// The names and meanings of the grades. Source: World Health Organization, "World report on
/// hearing" (2021).
extension HearingGrade {
  /// The name of the grade, beginning with a capital letter, such as "Moderately severe".
  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// The typical effect of this grade on the understanding of speech without hearing aids.
  var meaning: String {
    switch self {
    case .normal: "conversation is easy in quiet and little affected by noise"
    case .mild: "conversation is easy in quiet and can be difficult in noise"
    case .moderate: "conversation can be difficult in quiet and is difficult in noise"
    case .moderatelySevere: "conversation is difficult; raised voices can be understood"
    case .severe: "most conversation is not heard; raised voices can be difficult to understand"
    case .profound: "conversation is not heard; raised voices are hard to hear"
    case .complete: "speech and most sounds are not heard"
    }
  }
}

extension HearingProfile {
  /// The frequencies in Hz at which at least one ear was measured, in ascending order.
  var frequencies: [Double] {
    Set(Ear.allCases.flatMap { self[$0]?.points.map(\.frequency) ?? [] }).sorted()
  }

  /// The ears with estimated thresholds.
  ///
  /// - Parameter ears: The estimated ears. If the value is nil, the method of the profile
  ///   determines the ears. For the method `.estimate`, both ears are estimated. For any other
  ///   method, no ear is estimated. Ears without thresholds are ignored.
  func estimatedEars(unless ears: Set<Ear>?) -> Set<Ear> {
    let candidates = ears ?? (method == .estimate ? Set(Ear.allCases) : [])
    return candidates.filter { self[$0] != nil }
  }

  /// The profile with only those ears that can be assessed together. A measured ear must not be
  /// compared with an estimated ear. If one ear was measured and the other ear was estimated, the
  /// result contains only the measured ear.
  func assessable(estimatedEars: Set<Ear>) -> HearingProfile {
    var measured = self
    for ear in estimatedEars { measured[ear] = nil }
    return measured.left == nil && measured.right == nil ? self : measured
  }

  /// Advice to the listener about the profile, in complete sentences. The thresholds of
  /// `estimatedEars` are estimates.
  func advice(estimatedEars: Set<Ear>) -> [String] {
    var advice: [String] = []
    let estimated = Ear.clinicalOrder.filter { estimatedEars.contains($0) && self[$0] != nil }
    if let first = estimated.first {
      let subject =
        estimated.count == Ear.allCases.count
        ? "These thresholds were not measured." : "\(first.title): estimated, not measured."
      advice.append(
        "\(subject) They are typical for this age and sex; your own hearing may be much better or worse. Have "
          + "your hearing measured by a professional.")
    }

    let unknown = Ear.clinicalOrder.filter { self[$0] == nil }
    if unknown.count == Ear.allCases.count {
      advice.append(
        "Neither ear was measured, so there is no gain. Have your hearing measured by a "
          + "professional.")
    } else if let ear = unknown.first {
      advice.append(
        "\(ear.title): not measured. It gets no gain, because its hearing cannot be derived from "
          + "the other ear. Have both ears measured by a professional.")
    }

    let assessment = HearingAssessment(of: assessable(estimatedEars: estimatedEars))
    for case .missingFrequencies(let ear, let frequencies) in assessment.findings {
      advice.append(
        "\(ear.title): \(frequencies.list) Hz not measured. These frequencies are important for "
          + "speech. Have the measurement completed by a professional.")
    }
    for case .discomfortBelowThreshold(let ear, let frequencies) in assessment.findings {
      advice.append(
        "\(ear.title): discomfort below the threshold at \(frequencies.list) Hz. Measure again.")
    }
    if let (difference, frequencies, _) = assessment.asymmetry {
      advice.append(
        "The two ears differ by \(difference) (at \(frequencies.list) Hz). A "
          + "difference of \(HearingAssessment.asymmetryLimit.readable()) dB or more can have a "
          + "cause that needs treatment: see a professional.")
    }
    for case .profoundLoss(let ear) in assessment.findings {
      advice.append("\(ear.title): the hearing loss is profound or complete. See a professional.")
    }
    if assessment.findings.contains(where: { if case .noResponse = $0 { true } else { false } }) {
      advice.append(
        "At some frequencies the loudest tone of the test was not heard. The true loss there is not "
          + "known, and less speech may be audible than shown. Have it measured by a professional.")
    }
    return advice
  }
}

extension [Double] {
  fileprivate var list: String { map { $0.readable() }.joined(separator: ", ") }
}
