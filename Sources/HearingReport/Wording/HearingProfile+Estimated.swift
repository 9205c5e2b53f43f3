import HearingFitting

extension HearingProfile {
  /// The ears whose thresholds are estimates: the known ones of `ears`, or, where that is nil, all
  /// known ones if the profile as a whole is an estimate.
  func estimatedEars(unless ears: Set<Ear>?) -> Set<Ear> {
    let candidates = ears ?? (method == .estimate ? Set(Ear.allCases) : [])
    return candidates.filter { self[$0] != nil }
  }
}
