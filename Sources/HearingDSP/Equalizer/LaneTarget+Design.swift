extension LaneTarget {
  /// Makes `lane` a bell of `gain` dB.
  ///
  /// The band-pass is mixed in by the damping that single precision leaves, so that the gain at the
  /// centre is exact even where a narrow bell sits at a thousandth of the sample rate.
  mutating func setBell(_ bell: SectionPrototype, gain: Double, lane: Int) {
    let root = Elementary.power(10, gain / 40)
    self.gain[lane] = Self.logarithm(gain)
    g[lane] = Float(bell.warped)
    k[lane] = Float(1 / (bell.quality * root))
    let integrator = Double(g[lane])
    let damping = (2 / Double(a[lane]) - 1) / integrator - integrator
    n[lane] = Float(damping * (root * root - 1) / 2)
    p[lane] = 0
  }

  /// Makes `lane` a low shelf of `gain` dB.
  mutating func setLowShelf(_ shelf: SectionPrototype, gain: Double, lane: Int) {
    let root = Elementary.power(10, gain / 40)
    let integrator = shelf.warped / root.squareRoot()
    let damping = 1 / shelf.quality
    let bandPass = damping * (root - 1)
    let lowPass = root * root - 1
    self.gain[lane] = Self.logarithm(gain)
    g[lane] = Float(integrator)
    k[lane] = Float(damping)
    n[lane] = Float((bandPass + lowPass * integrator) / 2)
    p[lane] = Float(lowPass / integrator)
  }

  /// The vectors of four sections that a channel with `bandCount` bands needs.
  static func vectorCount(bandCount: Int) -> Int {
    (bandCount + shelfCount + 3) / 4
  }

  /// Writes the sections of `plan` with `gains` to `vectors`: the shelves first, then the bells.
  static func write(
    _ gains: SectionGains, of plan: SectionPlan, to vectors: UnsafeMutablePointer<LaneTarget>
  ) {
    vectors[0].setLowShelf(plan.lowShelf, gain: gains.lowShelf, lane: 0)
    vectors[0].setLowShelf(plan.highShelf, gain: gains.highShelf, lane: 1)
    for (band, bell) in plan.bells.enumerated() {
      let section = band + shelfCount
      vectors[section / 4].setBell(bell, gain: gains.bells[band], lane: section % 4)
    }
  }

  /// Half the logarithm to base 2 of an amplitude ratio in dB.
  private static func logarithm(_ decibels: Double) -> Float {
    Float(Elementary.binaryLogarithm(10) * decibels / 40)
  }

  /// The first sections of a channel are shelves.
  static var shelfCount: Int { 2 }
}
