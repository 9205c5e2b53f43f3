/// Divides wanted gains among the sections of a cascade: the constant matrix, and what it takes to
/// see what has come of it.
///
/// The same for every channel and all settings. Anchors and sections are rounded up to dozens. A
/// value of pointers; whoever creates it calls `deallocate()`.
struct GainDivision {
  /// Where the gain is held: one more than the bands at either end.
  let anchorCount: Int
  let sectionCount: Int

  /// Dozens of anchors, of sections.
  let anchorDozens: Int
  let sectionDozens: Int

  /// Gain of each section (as in ``LaneTarget/gain``) per dB wanted at an anchor,
  /// `[section dozen][anchor]`.
  let columns: UnsafeMutablePointer<Dozen>
  /// Logarithm to base 2 of the broadband gain per dB wanted at an anchor, `[anchor]`.
  let broadband: UnsafeMutablePointer<Float>

  /// How much of a bell's skirt there is at an anchor, 0 at its centre … 1, and how much of its
  /// band, 1 at its centre … 0, `[anchor dozen][section]`. For a shelf (f / f0)², and the same over
  /// quality²; f as tan(π f / rate).
  let skirts: UnsafeMutablePointer<Dozen>
  let bands: UnsafeMutablePointer<Dozen>

  /// Room for the gains of sections, and for their amplitude ratios, as what they are in
  /// ``LanePlan``: A, A² and 1 / A².
  let sections: UnsafeMutablePointer<Float>
  private let roots: UnsafeMutablePointer<Float>
  private let ratios: UnsafeMutablePointer<Float>
  private let inverses: UnsafeMutablePointer<Float>

  init(anchorCount: Int, sectionCount: Int) {
    self.anchorCount = anchorCount
    self.sectionCount = sectionCount
    anchorDozens = (anchorCount + 11) / 12
    sectionDozens = (sectionCount + 11) / 12
    columns = .filled(Dozen(repeating: 0), count: sectionDozens * anchorCount)
    broadband = .filled(0, count: anchorDozens * 12)
    skirts = .filled(Dozen(repeating: 1), count: anchorDozens * sectionCount)
    bands = .filled(Dozen(repeating: 0), count: anchorDozens * sectionCount)
    sections = .filled(0, count: sectionDozens * 12)
    roots = .filled(0, count: sectionDozens * 12)
    ratios = .filled(0, count: sectionDozens * 12)
    inverses = .filled(0, count: sectionDozens * 12)
  }

  func deallocate() {
    columns.deallocate()
    broadband.deallocate()
    skirts.deallocate()
    bands.deallocate()
    sections.deallocate()
    roots.deallocate()
    ratios.deallocate()
    inverses.deallocate()
  }

  /// Writes the gains of the sections that together come close to `wanted`, in dB at each anchor,
  /// to ``sections``.
  ///
  /// - Returns: the logarithm to base 2 of the broadband gain.
  @_noLocks @_noAllocation @inline(__always)
  func divide(_ wanted: UnsafeMutablePointer<Float>) -> Float {
    var shares = Dozen(repeating: 0)
    for dozen in 0..<anchorDozens {
      shares = shares + broadband.dozen(at: dozen &* 12) * wanted.dozen(at: dozen &* 12)
    }
    let shared = shares.sum
    var swells = Dozen(repeating: 0)
    var column = columns
    for dozen in 0..<sectionDozens {
      var sum = Dozen(repeating: 0)
      for anchor in 0..<anchorCount {
        sum = sum + column.pointee * wanted[anchor]
        column += 1
      }
      sections.setDozen(sum, at: dozen &* 12)
      swells = swells + sum.magnitude
    }
    let swell = abs(shared) * 0.5 + swells.sum
    guard swell > Self.mostSwell else { return shared }
    // Bands a hair apart that ask for opposite gains make sections fight without end.
    let share = Self.mostSwell / swell
    for dozen in 0..<sectionDozens {
      sections.setDozen(sections.dozen(at: dozen &* 12) * share, at: dozen &* 12)
    }
    return shared * share
  }

  /// Takes the gains in ``sections`` up, for ``response(atDozen:broadband:)``.
  @_noLocks @_noAllocation @inline(__always)
  func look() {
    for dozen in 0..<sectionDozens {
      let root = sections.dozen(at: dozen &* 12).powerOfTwo
      let ratio = root * root
      roots.setDozen(root, at: dozen &* 12)
      ratios.setDozen(ratio, at: dozen &* 12)
      inverses.setDozen(Dozen(repeating: 1) / ratio, at: dozen &* 12)
    }
  }

  /// The gains in dB at twelve anchors of a cascade with the gains looked at last.
  @_noLocks @_noAllocation @inline(__always)
  func response(atDozen anchors: Int, broadband shared: Float) -> Dozen {
    var over = Dozen(repeating: 1)
    var under = Dozen(repeating: 1)
    var skirt = skirts + anchors &* sectionCount
    var band = bands + anchors &* sectionCount
    for section in 0..<sectionCount {
      if LaneTarget.shelfPlaces.contains(section) {
        let root = Dozen(repeating: roots[section])
        let middle = band.pointee * root
        let above = root - skirt.pointee
        let below = Dozen(repeating: 1) - root * skirt.pointee
        over = over * ((above * above + middle) * ratios[section])
        under = under * (below * below + middle)
      } else {
        over = over * (skirt.pointee + band.pointee * ratios[section])
        under = under * (skirt.pointee + band.pointee * inverses[section])
      }
      skirt += 1
      band += 1
    }
    let decibelsPerOctave: Float = 3.010_3
    return ((over / under).binaryLogarithm + Dozen(repeating: 2 * shared)) * decibelsPerOctave
  }

  /// How loud sound may become inside the cascade before other sections lower it again: 360 dB, in
  /// the unit of a section's gain.
  private static var mostSwell: Float {
    @_noLocks @_noAllocation @inline(__always) get { 30 }
  }
}
