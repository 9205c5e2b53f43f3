import HearingFitting

extension ReportSection {
  /// What matters most, in a few lines, and what to do about it.
  static func summary(of findings: Findings, preset: Preset) -> ReportSection {
    var blocks: [ReportBlock] = [.terms(facts(of: findings, preset: preset))]
    let advice = advice(on: findings)
    if !advice.isEmpty { blocks.append(.advice(advice)) }
    return ReportSection(title: "In short", blocks: blocks)
  }

  private static func facts(of findings: Findings, preset: Preset) -> [ReportBlock.Term] {
    var facts = Ear.clinicalOrder.map { ear in
      let average = findings.pureToneAverage(of: ear).map { average in
        "\(average.readable()) dB HL on average over 0.5, 1, 2 and 4 kHz"
      }
      return ReportBlock.Term(name: ear.title, meaning: average ?? "not measured")
    }
    if let grade = findings.grade {
      let ears = findings.unknownEars.isEmpty ? "the better ear" : "the ear that is known"
      facts.append(
        ReportBlock.Term(
          name: "Grade of hearing loss (World Health Organization, by \(ears))",
          meaning: "\(grade.name): \(grade.meaning)"))
    }
    facts.append(ReportBlock.Term(name: "Rule of the fitting", meaning: rule(of: preset)))
    return facts
  }

  private static func rule(of preset: Preset) -> String {
    guard let name = preset.rule else { return "none: set by hand" }
    guard let story = RuleStory(name: name) else { return name }
    return "\(story.title). \(story.aim)"
  }

  private static func advice(on findings: Findings) -> [String] {
    var advice: [String] = []
    if findings.isEstimate {
      advice.append(
        "These thresholds were not measured. They are what is usual for this age and sex, and a "
          + "person can be far from it. Have your hearing measured by a professional.")
    }
    switch findings.unknownEars.count {
    case 0: break
    case Ear.allCases.count:
      advice.append(
        "Neither ear was measured, so there is no gain. Have your hearing measured by a "
          + "professional.")
    default:
      let name = findings.unknownEars[0].title
      advice.append(
        "\(name): not measured. It gets no gain; the other ear says nothing about it. Have both "
          + "ears measured by a professional.")
    }
    for ear in findings.incompleteEars {
      advice.append(
        "\(ear.title): not all of 0.5, 1, 2 and 4 kHz were measured, so its average is uncertain. "
          + "Have the measurement completed by a professional.")
    }
    if findings.isAsymmetric, let asymmetry = findings.asymmetry {
      advice.append(
        "The two ears differ by \(asymmetry.readable()) dB on average. A difference of 15 dB or "
          + "more can have a cause that needs treatment: see a professional.")
    }
    if findings.hasPoint(where: \.isNoResponse) {
      advice.append(
        "At some frequencies nothing was heard up to the loudest tone. The fitting counts that "
          + "tone's level as the threshold; the true loss may be greater.")
    }
    return advice
  }
}
