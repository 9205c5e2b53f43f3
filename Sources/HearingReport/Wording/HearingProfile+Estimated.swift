import HearingFitting

extension HearingProfile {
  /// The ears whose thresholds are estimates: the known ones of `ears`, or, where that is nil, all
  /// known ones if the profile as a whole is an estimate.
  func estimatedEars(unless ears: Set<Ear>?) -> Set<Ear> {
    let candidates = ears ?? (method == .estimate ? Set(Ear.allCases) : [])
    return candidates.filter { self[$0] != nil }
  }

  /// The profile to assess: where one ear was measured and the other estimated, the measured one
  /// alone, since comparing them would say nothing about the listener.
  func assessable(estimatedEars: Set<Ear>) -> HearingProfile {
    guard Ear.allCases.contains(where: { self[$0] != nil && !estimatedEars.contains($0) }) else {
      return self
    }
    var measured = self
    for ear in estimatedEars { measured[ear] = nil }
    return measured
  }
}
