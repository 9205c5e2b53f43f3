/// A grade of hearing loss by the mean threshold of the better ear at 0.5, 1, 2 and 4 kHz.
///
/// Source: World Health Organization, World Report on Hearing (2021).
struct GradeBand: Sendable, Equatable {
  /// The name as it stands in a picture.
  let name: String
  /// The lowest mean threshold in dB HL; the lowest grade has none.
  let lowest: Double
  /// What a person of this grade hears of speech, without hearing aids.
  let meaning: String

  static let all: [GradeBand] = [
    GradeBand(
      name: "Normal", lowest: -.infinity,
      meaning: "no difficulty in quiet, little or none in noise"),
    GradeBand(
      name: "Mild", lowest: 20,
      meaning: "conversation in quiet is heard; in noise it can be difficult"),
    GradeBand(
      name: "Moderate", lowest: 35,
      meaning: "conversation in quiet can be difficult, in noise it is"),
    GradeBand(
      name: "Moderately severe", lowest: 50,
      meaning: "conversation is difficult; raised voices are heard"),
    GradeBand(
      name: "Severe", lowest: 65,
      meaning: "most of conversation is not heard; raised voices can be difficult"),
    GradeBand(
      name: "Profound", lowest: 80, meaning: "conversation is not heard, and raised voices hardly"),
    GradeBand(name: "Complete", lowest: 95, meaning: "speech and most sounds are not heard"),
  ]

  /// The grade of a mean threshold in dB HL.
  init(meanThreshold: Double) {
    self = Self.all.last { meanThreshold >= $0.lowest } ?? Self.all[0]
  }

  private init(name: String, lowest: Double, meaning: String) {
    self.name = name
    self.lowest = lowest
    self.meaning = meaning
  }
}
