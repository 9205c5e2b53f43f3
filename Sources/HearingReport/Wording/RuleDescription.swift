/// The description of a prescription rule in a report.
struct RuleDescription: Sendable, Equatable {
  /// The name of the rule for readers, such as "NAL-R".
  let title: String
  /// The aim of the rule, in words for a listener.
  let aim: String
  let source: String
}

extension RuleDescription {
  /// Finds the description of a rule by the rule's name in preset files. Returns nil if the rule is
  /// unknown.
  init?(name: String) {
    guard let description = Self.all[name] else { return nil }
    self = description
  }

  private static let all: [String: RuleDescription] = [
    "half-gain": RuleDescription(
      title: "Half gain", aim: "The gain is half of the hearing loss at every frequency.",
      source: "Lybarger 1944"),
    "pogo": RuleDescription(
      title: "POGO", aim: "The gain is half of the hearing loss, less at low frequencies.",
      source: "McCandless & Lyregaard 1983"),
    "pogo-ii": RuleDescription(
      title: "POGO II", aim: "Like POGO, with more gain where the loss exceeds 65 dB HL.",
      source: "Schwartz, Lyregaard & Lundh 1988"),
    "nal-r": RuleDescription(
      title: "NAL-R", aim: "All parts of speech contribute equally to its loudness.",
      source: "Byrne & Dillon 1986"),
    "nal-rp": RuleDescription(
      title: "NAL-RP", aim: "Like NAL-R, adapted to severe and profound losses.",
      source: "Byrne, Parkinson & Newall 1990"),
    "fig6": RuleDescription(
      title: "FIG6", aim: "Soft, average and loud speech regain their normal loudness.",
      source: "Killion & Fikret-Pasa 1993"),
    "camfit-linear": RuleDescription(
      title: "CAMFIT linear", aim: "All parts of average speech are equally loud.",
      source: "Moore & Glasberg 1998"),
    "camfit-compressive": RuleDescription(
      title: "CAMFIT compressive",
      aim: "Soft speech becomes audible, all parts of average speech are equally loud, and loud "
        + "sounds get less gain.",
      source: "Moore, Glasberg & Stone 1999"),
    "comfortable-speech": RuleDescription(
      title: "Comfortable speech",
      aim: "Average speech is audible and comfortable. Quiet surroundings and loud sounds get "
        + "little gain.",
      source: "this software; CAMFIT linear and NAL-RP, with about 4 to 6 dB more gain from 40 dB "
        + "HL on, and compression"),
    "comfortable-music": RuleDescription(
      title: "Comfortable music",
      aim: "Music is audible over the whole frequency range and keeps its dynamics.",
      source: "this software, after Byrne, Parkinson & Newall 1990"),
  ]
}
