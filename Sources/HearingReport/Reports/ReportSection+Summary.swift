import HearingFitting

extension ReportSection {
  /// The section with the most important facts and with advice.
  static func summary(
    of profile: HearingProfile, estimatedEars: Set<Ear>, preset: Preset
  ) -> ReportSection {
    let assessment = HearingAssessment(of: profile.assessable(estimatedEars: estimatedEars))
    var facts: [ReportBlock.Term] = Ear.clinicalOrder.map { ear in
      let suffix = estimatedEars.contains(ear) ? " (estimate)" : ""
      return (ear.title, average(of: ear, in: profile) + suffix)
    }
    if let grade = assessment.grade {
      let oneSided = assessment.isUnilateral ? "; the loss is in one ear only" : ""
      let name = "Grade of hearing loss (World Health Organization, by the better ear)"
      facts.append((name, "\(grade.title): \(grade.meaning)\(oneSided)"))
    }
    if let program = preset.program {
      facts.append(("Program", program.rawValue))
    }
    facts.append(("Rule of the fitting", rule(of: preset)))
    var blocks: [ReportBlock] = [.terms(facts)]
    let advice = profile.advice(estimatedEars: estimatedEars)
    if !advice.isEmpty { blocks.append(.advice(advice)) }
    blocks.append(.paragraph(nextSteps))
    return ReportSection(title: "In short", blocks: blocks)
  }

  private static let nextSteps =
    "What to do next: start in a quiet place at a low volume, and turn it up until speech is comfortable. "
    + "Soft sounds that you have not heard for long need some weeks to become familiar. If voices stay too "
    + "soft, too loud or too sharp, change the fine tuning or let a professional check the fitting. Measure "
    + "your hearing again in a year, or sooner if it changes."

  private static func average(of ear: Ear, in profile: HearingProfile) -> String {
    guard let audiogram = profile[ear] else { return "not measured" }
    guard let average = audiogram.pureToneAverage else {
      return "no average, because 0.5, 1, 2 and 4 kHz were not all measured"
    }
    return "\(average.readable()) dB HL, average at 0.5, 1, 2 and 4 kHz"
  }

  private static func rule(of preset: Preset) -> String {
    guard let name = preset.rule else { return "none; the gains were set by hand" }
    guard let description = RuleDescription(name: name) else { return name }
    return "\(description.title). \(description.aim)"
  }
}
