import HearingFitting

/// Advice to the listener about a profile, in complete sentences.
struct Advice: Sendable, Equatable {
  let sentences: [String]

  /// Creates the advice on a profile. The argument `estimatedEars` contains the ears whose
  /// thresholds are estimates.
  init(on profile: HearingProfile, estimatedEars: Set<Ear>) {
    let assessed = profile.assessable(estimatedEars: estimatedEars)
    let findings = HearingAssessment(of: assessed).findings
    sentences =
      Self.onEstimates(of: estimatedEars, in: profile) + Self.onUnknownEars(of: profile)
      + findings.compactMap(Self.onMissingFrequencies) + Self.onAsymmetry(findings)
      + Self.onSilence(in: profile)
  }

  private static func onEstimates(
    of ears: Set<Ear>, in profile: HearingProfile
  ) -> [String] {
    let estimated = Ear.clinicalOrder.filter { ears.contains($0) && profile[$0] != nil }
    guard let first = estimated.first else { return [] }
    let subject =
      estimated.count == Ear.allCases.count
      ? "These thresholds were not measured." : "\(first.title): estimated, not measured."
    return [
      "\(subject) They are typical for this age and sex; your own hearing may be much better or worse. Have "
        + "your hearing measured by a professional."
    ]
  }

  private static func onUnknownEars(of profile: HearingProfile) -> [String] {
    let unknown = Ear.clinicalOrder.filter { profile[$0] == nil }
    guard let first = unknown.first else { return [] }
    guard unknown.count == 1 else {
      return [
        "Neither ear was measured, so there is no gain. Have your hearing measured by a "
          + "professional."
      ]
    }
    return [
      "\(first.title): not measured. It gets no gain, because its hearing cannot be derived from "
        + "the other ear. Have both ears measured by a professional."
    ]
  }

  private static func onMissingFrequencies(_ finding: HearingAssessment.Finding) -> String? {
    guard case .missingFrequencies(let ear, let frequencies) = finding else { return nil }
    return
      "\(ear.title): \(list(frequencies)) Hz not measured. These frequencies are important for "
      + "speech. Have the measurement completed by a professional."
  }

  private static func onAsymmetry(_ findings: [HearingAssessment.Finding]) -> [String] {
    var frequencies: [Double] = []
    var maximum = 0.0
    for case .asymmetry(let frequency, let difference, _) in findings {
      frequencies.append(frequency)
      maximum = max(maximum, difference)
    }
    guard !frequencies.isEmpty else { return [] }
    return [
      "The two ears differ by up to \(maximum.readable()) dB (at \(list(frequencies)) Hz). A "
        + "difference of \(HearingAssessment.asymmetryLimit.readable()) dB or more can have a "
        + "cause that needs treatment: see a professional."
    ]
  }

  private static func onSilence(in profile: HearingProfile) -> [String] {
    let isAnySilent = Ear.allCases.contains { ear in
      profile[ear]?.points.contains(where: \.isNoResponse) ?? false
    }
    guard isAnySilent else { return [] }
    return [
      "At some frequencies the loudest tone of the test was not heard. The true loss there is not "
        + "known. Have it measured by a professional."
    ]
  }

  private static func list(_ frequencies: [Double]) -> String {
    frequencies.map { $0.readable() }.joined(separator: ", ")
  }
}
