extension LanePlan {
  /// Writes the places of the sections of `plan` to `vectors`.
  static func write(_ plan: SectionPlan, to vectors: UnsafeMutablePointer<LanePlan>) {
    let sections = [plan.lowShelf, plan.highShelf] + plan.bells
    let places = LaneTarget.places(bandCount: plan.bells.count)
    for (index, (section, place)) in zip(sections, places).enumerated() {
      vectors[place / 4].set(
        section, lane: place % 4, isShelf: index < LaneTarget.shelfCount)
    }
  }

  /// Puts a section into `lane`.
  mutating func set(_ section: SectionPrototype, lane: Int, isShelf: Bool) {
    g[lane] = Float(section.warped)
    damping[lane] = Float(1 / section.quality)
    shelf[lane] = isShelf ? 1 : 0
    width[lane] = Float(section.warped / section.quality)
    skirt[lane] = Float(1 + section.warped * section.warped)
    hasShelf = hasShelf || isShelf
  }
}
