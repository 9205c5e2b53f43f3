import HearingFitting

extension HearingProfile {
  /// Advice to the listener about the profile, in complete sentences. The argument `estimatedEars`
  /// contains the ears whose thresholds are estimates.
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

    let findings = HearingAssessment(of: assessable(estimatedEars: estimatedEars)).findings
    for case .missingFrequencies(let ear, let frequencies) in findings {
      advice.append(
        "\(ear.title): \(frequencies.list) Hz not measured. These frequencies are important for "
          + "speech. Have the measurement completed by a professional.")
    }

    var frequencies: [Double] = []
    var maximum = 0.0
    for case .asymmetry(let frequency, let difference, _) in findings {
      frequencies.append(frequency)
      maximum = max(maximum, difference)
    }
    if !frequencies.isEmpty {
      advice.append(
        "The two ears differ by up to \(maximum.readable()) dB (at \(frequencies.list) Hz). A "
          + "difference of \(HearingAssessment.asymmetryLimit.readable()) dB or more can have a "
          + "cause that needs treatment: see a professional.")
    }

    if Ear.allCases.contains(where: { self[$0]?.points.contains(where: \.isNoResponse) ?? false }) {
      advice.append(
        "At some frequencies the loudest tone of the test was not heard. The true loss there is not "
          + "known. Have it measured by a professional.")
    }
    return advice
  }
}

extension [Double] {
  fileprivate var list: String { map { $0.readable() }.joined(separator: ", ") }
}
