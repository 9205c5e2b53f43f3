/// Divides wanted gains among the sections of a cascade: the constant matrix, and what it takes to
/// see what has come of it.
///
/// The same for every channel and all settings. A value of pointers; whoever creates it calls
/// `deallocate()`.
struct GainDivision {
  /// Where the gain is held: one more than the bands at either end.
  let anchorCount: Int
  /// Vectors of four anchors, of four sections.
  let anchorVectors: Int
  let vectorCount: Int
  let sectionCount: Int

  /// Gain of each section (as in ``LaneTarget/gain``) per dB wanted at an anchor,
  /// `[anchor][vector]`.
  let columns: UnsafeMutablePointer<Lanes>
  /// Logarithm to base 2 of the broadband gain per dB wanted at an anchor.
  let broadband: UnsafeMutablePointer<Float>

  /// How much of a bell's skirt there is at an anchor, 0 at its centre … 1, and how much of its
  /// band, 1 at its centre … 0, `[section][anchor vector]`. For a shelf (f / f0)², and the same over
  /// quality²; f as tan(π f / rate).
  let skirts: UnsafeMutablePointer<Lanes>
  let bands: UnsafeMutablePointer<Lanes>

  /// Room for the sections' amplitude ratios and their reciprocals.
  private let ratios: UnsafeMutablePointer<Float>
  private let inverses: UnsafeMutablePointer<Float>

  init(anchorCount: Int, sectionCount: Int) {
    self.anchorCount = anchorCount
    self.sectionCount = sectionCount
    anchorVectors = (anchorCount + 3) / 4
    vectorCount = (sectionCount + 3) / 4
    columns = .filled(.zero, count: anchorCount * vectorCount)
    broadband = .filled(0, count: anchorCount)
    skirts = .filled(Lanes(repeating: 1), count: sectionCount * anchorVectors)
    bands = .filled(.zero, count: sectionCount * anchorVectors)
    ratios = .filled(0, count: vectorCount * 4)
    inverses = .filled(0, count: vectorCount * 4)
  }

  func deallocate() {
    columns.deallocate()
    broadband.deallocate()
    skirts.deallocate()
    bands.deallocate()
    ratios.deallocate()
    inverses.deallocate()
  }

  /// Writes the gains of the sections that together come close to `wanted`, in dB at each anchor,
  /// to `sections`.
  ///
  /// - Returns: the logarithm to base 2 of the broadband gain.
  @_noLocks @_noAllocation @inline(__always)
  func divide(_ wanted: UnsafePointer<Float>, to sections: UnsafeMutablePointer<Lanes>) -> Float {
    var shared: Float = 0
    for anchor in 0..<anchorCount { shared += broadband[anchor] * wanted[anchor] }
    var swells = Lanes.zero
    for vector in 0..<vectorCount {
      var sum = Lanes.zero
      for anchor in 0..<anchorCount {
        sum += columns[anchor * vectorCount + vector] * wanted[anchor]
      }
      sections[vector] = sum
      swells += sum.magnitude
    }
    let swell = abs(shared) * 0.5 + (swells[0] + swells[1]) + (swells[2] + swells[3])
    guard swell > Self.mostSwell else { return shared }
    // Bands a hair apart that ask for opposite gains make sections fight without end.
    let share = Self.mostSwell / swell
    for vector in 0..<vectorCount { sections[vector] *= share }
    return shared * share
  }

  /// Takes the gains in `sections` up, for ``response(atVector:broadband:)``.
  @_noLocks @_noAllocation @inline(__always)
  func look(at sections: UnsafePointer<Lanes>) {
    for vector in 0..<vectorCount {
      let ratio = sections[vector].powerOfTwo
      ratios.setLanes(ratio, at: vector * 4)
      inverses.setLanes(1 / (ratio * ratio), at: vector * 4)
    }
  }

  /// The gains in dB at four anchors of a cascade with the gains looked at last.
  @_noLocks @_noAllocation @inline(__always)
  func response(atVector anchors: Int, broadband shared: Float) -> Lanes {
    var over = Lanes(repeating: 1)
    var under = Lanes(repeating: 1)
    for shelf in 0..<LaneTarget.shelfCount {
      let root = ratios[shelf]
      let square = skirts[shelf * anchorVectors + anchors]
      let band = bands[shelf * anchorVectors + anchors] * root
      let above = root - square
      let below = 1 - root * square
      over *= (above * above + band) * (root * root)
      under *= below * below + band
    }
    for bell in LaneTarget.shelfCount..<sectionCount {
      let skirt = skirts[bell * anchorVectors + anchors]
      let band = bands[bell * anchorVectors + anchors]
      over *= skirt + band * (ratios[bell] * ratios[bell])
      under *= skirt + band * inverses[bell]
    }
    let decibelsPerOctave: Float = 3.010_3
    return ((over / under).binaryLogarithm + 2 * shared) * decibelsPerOctave
  }

  /// How loud sound may become inside the cascade before other sections lower it again: 360 dB, in
  /// the unit of a section's gain.
  private static var mostSwell: Float {
    @_noLocks @_noAllocation @inline(__always) get { 30 }
  }
}
