import HearingFitting

extension Ear {
  /// "Left ear" or "Right ear".
  var title: String {
    switch self {
    case .left: "Left ear"
    case .right: "Right ear"
    }
  }
}

/// Source of the words: World Health Organization, "World report on hearing" (2021).
extension HearingGrade {
  /// The name with a capital, such as "Moderately severe".
  var title: String {
    rawValue.prefix(1).uppercased() + rawValue.dropFirst()
  }

  /// The typical effect on understanding speech without hearing aids.
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
  /// The ears whose thresholds are estimated and not measured.
  ///
  /// - Parameter ears: The estimated ears, if the caller knows them; ears without thresholds are
  ///   ignored. Nil: all ears with thresholds if the profile's method is an estimate, otherwise
  ///   none.
  func estimatedEars(unless ears: Set<Ear>?) -> Set<Ear> {
    let candidates = ears ?? (method == .estimate ? Set(Ear.allCases) : [])
    return candidates.filter { self[$0] != nil }
  }

  /// The profile to assess. If one ear was measured and the other estimated, it has only the
  /// measured ear, because comparing the two ears would be meaningless.
  func assessable(estimatedEars: Set<Ear>) -> HearingProfile {
    guard Ear.allCases.contains(where: { self[$0] != nil && !estimatedEars.contains($0) }) else {
      return self
    }
    var measured = self
    for ear in estimatedEars { measured[ear] = nil }
    return measured
  }
}
