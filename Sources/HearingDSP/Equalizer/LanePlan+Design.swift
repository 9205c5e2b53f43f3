extension LanePlan {
  /// Writes the places of the sections of `plan` to `vectors`: the shelves first, then the bells.
  static func write(_ plan: SectionPlan, to vectors: UnsafeMutablePointer<LanePlan>) {
    let sections = [plan.lowShelf, plan.highShelf] + plan.bells
    for (index, section) in sections.enumerated() {
      vectors[index / 4].g[index % 4] = Float(section.warped)
      vectors[index / 4].damping[index % 4] = Float(1 / section.quality)
      vectors[index / 4].shelf[index % 4] = index < LaneTarget.shelfCount ? 1 : 0
    }
  }
}
