internal import HearingBuffers

/// Solves for the section gains that give target gains at the anchors, and evaluates the response
/// that results.
///
/// Solving multiplies by a constant matrix, the same for all channels and settings. Anchors and
/// sections are padded to groups of twelve.
struct GainSolver: ~Copyable {
  /// The number of anchors: one per band and one more at each end.
  let anchorCount: Int
  let sectionCount: Int

  /// The number of groups of twelve anchors, and of twelve sections.
  let anchorVectors: Int
  let sectionVectors: Int

  /// Gain of each section (as in ``SectionTargets/gain``) per dB of target gain at an anchor,
  /// `[section group][anchor]`.
  let columns: OwnedRow<Float12>
  /// Logarithm to base 2 of the broadband gain per dB of target gain at an anchor, `[anchor]`.
  let broadband: OwnedRow<Float>

  /// `[anchor group][section]`. For a bell: the weight of its skirt at an anchor (0 at the centre,
  /// 1 far away) and the weight of its band (1 at the centre, 0 far away). For a shelf: (t / t0)²,
  /// and the same divided by quality², where t is tan(π frequency / rate) of the anchor and t0
  /// that of the shelf.
  let skirts: OwnedRow<Float12>
  let bands: OwnedRow<Float12>

  /// The gains of the sections, and A, A² and 1 / A² of ``SectionLayout``.
  let sections: OwnedRow<Float>
  private let roots: OwnedRow<Float>
  private let ratios: OwnedRow<Float>
  private let inverses: OwnedRow<Float>

  init(anchorCount: Int, sectionCount: Int) {
    self.anchorCount = anchorCount
    self.sectionCount = sectionCount
    anchorVectors = (anchorCount + 11) / 12
    sectionVectors = (sectionCount + 11) / 12
    columns = .filled(Float12(repeating: 0), count: sectionVectors * anchorCount)
    broadband = .filled(0, count: anchorVectors * 12)
    skirts = .filled(Float12(repeating: 1), count: anchorVectors * sectionCount)
    bands = .filled(Float12(repeating: 0), count: anchorVectors * sectionCount)
    sections = .filled(0, count: sectionVectors * 12)
    roots = .filled(0, count: sectionVectors * 12)
    ratios = .filled(0, count: sectionVectors * 12)
    inverses = .filled(0, count: sectionVectors * 12)
  }

  /// Writes the section gains that together approximate the target gains, in dB at each anchor, to
  /// ``sections``.
  ///
  /// - Returns: the logarithm to base 2 of the broadband gain.
  @inline(__always)
  func solve(_ targets: Row<Float>) -> Float {
    var products = Float12(repeating: 0)
    for group in 0..<anchorVectors {
      products =
        products + broadband.row.float12(at: group &* 12) * targets.float12(at: group &* 12)
    }
    let broadbandGain = products.sum
    var magnitudes = Float12(repeating: 0)
    var column = columns.row
    for group in 0..<sectionVectors {
      var sum = Float12(repeating: 0)
      for anchor in 0..<anchorCount {
        sum = sum + column[0] * targets[anchor]
        column = column.from(1)
      }
      sections.row.setFloat12(sum, at: group &* 12)
      magnitudes = magnitudes + sum.magnitude
    }
    let total = abs(broadbandGain) * 0.5 + magnitudes.sum
    guard total > Self.maximumTotalGain else { return broadbandGain }
    // Close bands with opposite target gains make the solution diverge.
    let scale = Self.maximumTotalGain / total
    for group in 0..<sectionVectors {
      sections.row.setFloat12(sections.row.float12(at: group &* 12) * scale, at: group &* 12)
    }
    return broadbandGain * scale
  }

  /// Prepares the gains in ``sections`` for ``response(atGroup:broadband:)``.
  @inline(__always)
  func prepareResponse() {
    for group in 0..<sectionVectors {
      let root = sections.row.float12(at: group &* 12).powerOfTwo
      let ratio = root * root
      roots.row.setFloat12(root, at: group &* 12)
      ratios.row.setFloat12(ratio, at: group &* 12)
      inverses.row.setFloat12(Float12(repeating: 1) / ratio, at: group &* 12)
    }
  }

  /// The gains in dB at twelve anchors of a cascade with the prepared section gains.
  @inline(__always)
  func response(atGroup anchors: Int, broadband broadbandGain: Float) -> Float12 {
    var over = Float12(repeating: 1)
    var under = Float12(repeating: 1)
    var skirt = skirts.from(anchors &* sectionCount)
    var band = bands.from(anchors &* sectionCount)
    for section in 0..<sectionCount {
      if SectionTargets.shelfIndices.contains(section) {
        let root = Float12(repeating: roots[section])
        let middle = band[0] * root
        let above = root - skirt[0]
        let below = Float12(repeating: 1) - root * skirt[0]
        over = over * ((above * above + middle) * ratios[section])
        under = under * (below * below + middle)
      } else {
        over = over * (skirt[0] + band[0] * ratios[section])
        under = under * (skirt[0] + band[0] * inverses[section])
      }
      skirt = skirt.from(1)
      band = band.from(1)
    }
    return ((over / under).binaryLogarithm + Float12(repeating: 2 * broadbandGain))
      * Decibels.perOctaveOfPower
  }

  /// The limit of the magnitudes of all sections' gains together, 360 dB, in the unit of a
  /// section's gain.
  private static let maximumTotalGain: Float = 30
}
