/// What a report says about a prescription rule.
struct RuleStory: Sendable, Equatable {
  /// How the field writes the rule's name.
  let title: String
  /// What it aims at, for a listener.
  let aim: String
  let source: String

  /// What is known of the rule that files call `name`; nil: a rule that is not known here.
  init?(name: String) {
    guard let story = Self.all[name] else { return nil }
    self = story
  }

  private init(_ title: String, aim: String, source: String) {
    self.title = title
    self.aim = aim
    self.source = source
  }

  private static let all: [String: RuleStory] = [
    "half-gain": RuleStory(
      "Half gain", aim: "Half of the hearing loss is made up for, at every frequency.",
      source: "Lybarger 1944"),
    "pogo": RuleStory(
      "POGO", aim: "Half of the hearing loss is made up for, less at low frequencies.",
      source: "McCandless & Lyregaard 1983"),
    "pogo-ii": RuleStory(
      "POGO II", aim: "As POGO, with more gain where the loss is beyond 65 dB HL.",
      source: "Schwartz, Lyregaard & Lundh 1988"),
    "nal-r": RuleStory(
      "NAL-R", aim: "All parts of speech contribute equally to its loudness.",
      source: "Byrne & Dillon 1986"),
    "nal-rp": RuleStory(
      "NAL-RP", aim: "As NAL-R, adapted to severe and profound losses.",
      source: "Byrne, Parkinson & Newall 1990"),
    "fig6": RuleStory(
      "FIG6", aim: "Soft, average and loud speech get back their loudness.",
      source: "Killion & Fikret-Pasa 1993"),
    "camfit-linear": RuleStory(
      "CAMFIT linear", aim: "Average speech is equally loud in all its parts.",
      source: "Moore & Glasberg 1998"),
    "camfit-compressive": RuleStory(
      "CAMFIT compressive",
      aim: "Soft speech becomes audible, average speech is equally loud in all its parts, and "
        + "loud sounds get less gain.",
      source: "Moore, Glasberg & Stone 1999"),
  ]
}
