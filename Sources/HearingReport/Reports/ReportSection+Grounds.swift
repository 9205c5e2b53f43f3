import HearingFitting

extension ReportSection {
  /// What the fitting rests on, and what it does not take into account.
  static func grounds(of preset: Preset) -> ReportSection {
    ReportSection(
      title: "What this rests on",
      blocks: [
        .list([
          source(of: preset),
          "The rule assumes a sensorineural hearing loss (one of the inner ear) in an adult. For a "
            + "conductive loss, for children, and after ear surgery, see a professional.",
          "Levels are nominal: how loud the sound is at the ear depends on the headphones and on "
            + "how they sit. This page knows nothing of them.",
          maximumOutput(of: preset),
        ]),
        .terms([ReportBlock.Term(name: "Identity of the setting", meaning: preset.id)]),
      ])
  }

  private static func source(of preset: Preset) -> String {
    guard let name = preset.rule else {
      return "The gains follow no rule: they were set by hand."
    }
    let version = preset.ruleVersion.map { ", version \($0)" } ?? ""
    guard let story = RuleStory(name: name) else {
      return "Rule: \(name)\(version). This version of the software does not know its source."
    }
    return "Rule: \(story.title) (\(name)\(version)). Source: \(story.source)."
  }

  private static func maximumOutput(of preset: Preset) -> String {
    let ears = Ear.clinicalOrder.compactMap { ear in
      preset[ear].map { "\(ear.title.lowercased()) \($0.maximumOutput.readable()) dB SPL" }
    }
    guard !ears.isEmpty else { return "Maximum output: none is set, since no ear is known." }
    return "Maximum output: \(ears.joined(separator: ", ")). Loud sound can harm hearing even "
      + "below it when it lasts; take breaks, and turn it down where it is uncomfortable."
  }
}
