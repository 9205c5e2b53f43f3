internal import HearingBuffers

/// Computes the gains of the filter sections from the target gains at the anchor frequencies. Also
/// computes the gains that the filters reach at the anchor frequencies. The anchor frequencies are
/// the band centres, one frequency below the first band, and one frequency above the last band.
///
/// The section gains are the product of a constant matrix and the target gains. The matrix is the
/// same for all channels and settings. In memory, the numbers of anchor frequencies and filter
/// sections are rounded up to multiples of twelve.
struct GainSolver: ~Copyable {
  /// The number of anchor frequencies: one per band, one below the first band, and one above the
  /// last band.
  let anchorCount: Int
  let sectionCount: Int

  /// The number of groups of twelve anchor frequencies.
  let anchorVectors: Int
  /// The number of groups of twelve filter sections.
  let sectionVectors: Int

  /// The matrix, `[section group][anchor]`. A section group has twelve filter sections. If the
  /// target gain at an anchor frequency rises by 1 dB, the gain of a section changes by one number
  /// of the matrix. Section gains have the same unit as ``SectionTargets/gain``.
  let columns: OwnedRow<Float12>
  /// The weights of the target gains in the broadband gain, `[anchor]`. The sum of all products of
  /// target gain in dB and weight is the logarithm to base 2 of the broadband gain.
  let broadband: OwnedRow<Float>

  /// The weights of the skirts at the anchor frequencies, `[anchor group][section]`. A skirt is the
  /// part of a section's response far from the centre frequency. For a bell, the weight is 0 at the
  /// centre frequency and approaches 1 far from the centre. For a shelf, the weight is (t / t0)²,
  /// where t = tan(π f / rate) at the anchor frequency f, and t0 = tan(π f0 / rate) at the
  /// frequency f0 of the shelf.
  let skirts: OwnedRow<Float12>
  /// The weights of the section gains at the anchor frequencies, `[anchor group][section]`. For a
  /// bell, the weight is 1 at the centre frequency and approaches 0 far from the centre. For a
  /// shelf, the weight is the weight in ``skirts`` divided by the square of the quality factor.
  let bands: OwnedRow<Float12>

  /// The gains of the filter sections, in the unit of ``SectionTargets/gain``. The method
  /// ``solve(_:)`` writes these gains.
  let sections: OwnedRow<Float>
  /// The square root A of the gain of each section as an amplitude ratio.
  private let roots: OwnedRow<Float>
  /// The gain A² of each section as an amplitude ratio.
  private let ratios: OwnedRow<Float>
  /// The reciprocal 1 / A² of the gain of each section.
  private let inverses: OwnedRow<Float>

  /// Creates a solver with the matrix of `design`. The matrix is rounded to single precision.
  init(_ design: EqualizerDesign) {
    let plan = design.plan
    anchorCount = plan.anchors.count
    sectionCount = 4 * SectionTargets.vectorCount(bandCount: plan.bells.count)
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
    let octavesPerDecibel = CMath.octaves(decibels: 1)
    let indices = SectionTargets.sectionIndices(bandCount: plan.bells.count)
    for (anchor, frequency) in plan.anchors.enumerated() {
      broadband[anchor] = Float(design.weight(ofStage: 0, anchor: anchor) * octavesPerDecibel)
      let warped = CMath.tangent(.pi * frequency / plan.sampleRate)
      for (section, prototype) in plan.sections.enumerated() {
        let index = indices[section]
        columns[index / 12 * anchorCount + anchor][index % 12] = Float(
          design.weight(ofStage: section + 1, anchor: anchor) * octavesPerDecibel / 2)
        let element = anchor / 12 * sectionCount + index
        let square = (warped / prototype.warped) * (warped / prototype.warped)
        let band = square / (prototype.quality * prototype.quality)
        if section < SectionTargets.shelfCount {
          skirts[element][anchor % 12] = Float(square)
          bands[element][anchor % 12] = Float(band)
        } else {
          let skirt = (1 - square) * (1 - square)
          skirts[element][anchor % 12] = Float(skirt / (skirt + band))
          bands[element][anchor % 12] = Float(band / (skirt + band))
        }
      }
    }
  }

  /// Computes the section gains in ``sections`` and the broadband gain. With these gains, the
  /// response of the filters approximates the target gains in dB, `[anchor]`.
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
    // If two neighbouring bands have close centres and target gains of opposite signs, the section
    // gains can become very large. All gains are then multiplied by the same factor.
    let scale = Self.maximumTotalGain / total
    for group in 0..<sectionVectors {
      sections.row.setFloat12(sections.row.float12(at: group &* 12) * scale, at: group &* 12)
    }
    return broadbandGain * scale
  }

  /// Converts the gains in ``sections`` to the amplitude ratios that
  /// ``response(atGroup:broadband:)`` needs.
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

  /// The gains in dB of the filter cascade at twelve anchor frequencies. Call ``prepareResponse()``
  /// first.
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

  /// The maximum sum of the magnitudes of all gains, in the unit of ``SectionTargets/gain``. The
  /// maximum corresponds to 361 dB.
  private static let maximumTotalGain: Float = 30
}
