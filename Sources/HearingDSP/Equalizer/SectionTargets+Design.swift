internal import HearingBuffers

extension SectionTargets {
  /// Sets the vector lane `lane` to a bell with a gain of `gain` dB.
  ///
  /// The coefficients are rounded to single precision. The weight of the band-pass signal in the
  /// output is computed from the damping of the rounded coefficients. Therefore the gain at the
  /// centre is exact, even for a narrow bell at a thousandth of the sample rate.
  mutating func setBell(_ bell: SectionPrototype, gain: Double, lane: Int) {
    let root = CMath.power(10, gain / 40)
    set(
      lane: lane, gain: gain, integrator: bell.warped, damping: 1 / (bell.quality * root),
      lowPass: 0
    ) { damping, _ in damping * (root * root - 1) }
  }

  /// Sets the vector lane `lane` to a low shelf with a gain of `gain` dB.
  mutating func setLowShelf(_ shelf: SectionPrototype, gain: Double, lane: Int) {
    let root = CMath.power(10, gain / 40)
    let lowPass = root * root - 1
    set(
      lane: lane, gain: gain, integrator: shelf.warped / root.squareRoot(),
      damping: 1 / shelf.quality, lowPass: lowPass
    ) { damping, integrator in damping * (root - 1) + lowPass * integrator }
  }

  /// Sets the vector lane `lane` to the gain and the coefficients of a section.
  ///
  /// - Parameter bandPass: a closure that returns m1 + m2 g. For the symbols, see
  ///   ``SectionCoefficients``. The parameters of the closure are the damping k and the integrator
  ///   gain g. Both parameters are computed from the rounded, single-precision coefficients.
  private mutating func set(
    lane: Int, gain: Double, integrator: Double, damping: Double, lowPass: Double,
    bandPass: (Double, Double) -> Double
  ) {
    self.gain[lane] = Float(CMath.octaves(decibels: gain) / 2)
    coefficients.a[lane] = Float(2 / (1 + integrator * (integrator + damping)))
    coefficients.c[lane] = Float(integrator * integrator)
    coefficients.b[lane] = coefficients.c[lane] * coefficients.a[lane]
    let (a, c) = (Double(coefficients.a[lane]), Double(coefficients.c[lane]))
    let left = c.squareRoot()
    let weight = bandPass((2 / a - 1 - c) / left, left) * left * a / 2
    coefficients.e[lane] = Float(weight)
    coefficients.f[lane] = Float(lowPass)
  }

  /// The number of vectors for the filter sections of a channel with `bandCount` bands. A vector
  /// contains four sections.
  static func vectorCount(bandCount: Int) -> Int {
    (bandCount + shelfCount + 3) / 4
  }

  /// The indices of all sections of a channel with `bandCount` bands: the low shelf, the high
  /// shelf, then the bells. A vector has four lanes. An index is 4 × vector + lane.
  ///
  /// The high shelf is the first filter of the cascade. A high shelf with a positive gain is
  /// implemented as an attenuation of the low frequencies. After the cascade, the broadband gain
  /// amplifies the whole spectrum. The sections after the high shelf process the attenuated signal.
  /// While the coefficients of these sections change, the sections modulate the attenuated signal.
  /// Therefore the broadband gain amplifies the side bands of the modulation only as much as the
  /// signal.
  static func sectionIndices(bandCount: Int) -> [Int] {
    let vectors = vectorCount(bandCount: bandCount)
    var bells: [Int] = []
    for group in stride(from: 0, to: vectors, by: Cascade.depth) {
      for lane in (0..<4).reversed() {
        for vector in group..<min(group + Cascade.depth, vectors)
        where !shelfIndices.contains(vector * 4 + lane) {
          bells.append(vector * 4 + lane)
        }
      }
    }
    return Array(shelfIndices) + bells.prefix(bandCount).reversed()
  }

  /// Writes the sections of `plan` with the gains `gains` to `vectors`. A vector contains four
  /// sections.
  static func write(
    _ gains: SectionGains, of plan: SectionPlan, to vectors: Row<SectionTargets>
  ) {
    let (low, high) = (shelfIndices.lowerBound, shelfIndices.lowerBound + 1)
    vectors[0].setLowShelf(plan.lowShelf, gain: gains.lowShelf, lane: low)
    vectors[0].setLowShelf(plan.highShelf, gain: gains.highShelf, lane: high)
    let indices = sectionIndices(bandCount: plan.bells.count).dropFirst(shelfCount)
    for ((bell, gain), index) in zip(zip(plan.bells, gains.bells), indices) {
      vectors[index / 4].setBell(bell, gain: gain, lane: index % 4)
    }
  }

  /// The number of shelves of a channel.
  static let shelfCount = 2

  /// The indices of the low shelf (lane 2) and the high shelf (lane 3). Lane 3 is the first filter
  /// of the cascade.
  static let shelfIndices: Range<Int> = 2..<4
}

extension SectionLayout {
  /// Writes the sections of `plan` to `vectors`. A vector contains four sections.
  static func write(_ plan: SectionPlan, to vectors: Row<SectionLayout>) {
    let indices = SectionTargets.sectionIndices(bandCount: plan.bells.count)
    for (number, (section, index)) in zip(plan.sections, indices).enumerated() {
      vectors[index / 4].set(
        section, lane: index % 4, isShelf: number < SectionTargets.shelfCount)
    }
  }

  /// Sets the vector lane `lane` to the frequency and width of `section`.
  mutating func set(_ section: SectionPrototype, lane: Int, isShelf: Bool) {
    g[lane] = Float(section.warped)
    damping[lane] = Float(1 / section.quality)
    shelf[lane] = isShelf ? 1 : 0
    width[lane] = Float(section.warped / section.quality)
    skirt[lane] = Float(1 + section.warped * section.warped)
    hasShelf = hasShelf || isShelf
  }
}
