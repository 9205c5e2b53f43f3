import HearingFitting

/// Source of the words: World Health Organization, "World report on hearing" (2021).
extension HearingGrade {
  /// The name as it stands in a picture, such as "Moderately severe".
  var title: String {
    rawValue.prefix(1).uppercased() + rawValue.dropFirst()
  }

  /// What a person of this grade hears of speech, without hearing aids.
  var meaning: String {
    switch self {
    case .normal: "no difficulty in quiet, little or none in noise"
    case .mild: "conversation in quiet is heard; in noise it can be difficult"
    case .moderate: "conversation in quiet can be difficult, in noise it is"
    case .moderatelySevere: "conversation is difficult; raised voices are heard"
    case .severe: "most of conversation is not heard; raised voices can be difficult"
    case .profound: "conversation is not heard, and raised voices hardly"
    case .complete: "speech and most sounds are not heard"
    }
  }
}
