internal import HearingBuffers

/// Computes the gains of the sections of one cascade from the gains at the band centres.
///
/// An accurate graphic equaliser after Välimäki & Liski, "Accurate cascade graphic equalizer" (IEEE
/// Signal Processing Letters 24, 2017), extended by a broadband stage and two wide shelves. The
/// sections interact, so a constant matrix distributes the target gains among them:
///
///     W = S Mᵀ (M S Mᵀ)⁻¹
///
/// M holds each section's response per dB at every anchor, and S prefers the broadband stage. The
/// responses are not exactly proportional to the gains, so the residual is fed back through W until
/// it vanishes.
struct EqualizerDesign {
  let plan: SectionPlan
  private let bandCount: Int
  private let anchorCount: Int

  /// W, row-major: a row per section (broadband, low shelf, high shelf, bells), a column per
  /// anchor.
  private let matrix: [Double]

  /// tan(π anchor / rate).
  let warpedAnchors: [Double]

  private var targets: [Double]
  private(set) var anchorResiduals: [Double]
  var sections: [Double]
  private var best: [Double]
  /// The amplitude ratios of the bells, for ``updateResiduals()``.
  private var bellRatios: [Double]

  init(layout: BandLayout, sampleRate: Double) {
    let plan = SectionPlan(layout: layout, sampleRate: sampleRate)
    self.plan = plan
    bandCount = layout.centers.count
    anchorCount = plan.anchors.count
    warpedAnchors = plan.anchors.map { CMath.tangent(.pi * $0 / sampleRate) }
    matrix = Self.interactionMatrix(plan: plan, warpedAnchors: warpedAnchors)
    targets = [Double](repeating: 0, count: anchorCount)
    anchorResiduals = targets
    sections = [Double](repeating: 0, count: bandCount + Self.sharedStages)
    best = sections
    bellRatios = [Double](repeating: 1, count: bandCount)
  }

  /// The section gains that give `gains` in dB, one per band, at the centres.
  ///
  /// All are exactly 0 if all of `gains` are 0.
  mutating func sectionGains(for gains: [Double]) -> SectionGains {
    for anchor in 0..<anchorCount {
      targets[anchor] = gains[min(max(anchor - 1, 0), bandCount - 1)]
      anchorResiduals[anchor] = targets[anchor]
    }
    for index in sections.indices { sections[index] = 0 }
    var minimumError = Double.infinity
    for _ in 0..<Self.maximumSteps {
      addCorrection()
      let error = updateResiduals()
      guard error < minimumError else { break }
      minimumError = error
      for index in sections.indices { best[index] = sections[index] }
      if error < Self.tolerance { break }
    }
    if minimumError > Self.refinementThreshold {
      sections = best
      _ = updateResiduals()
      refine()
      best = sections
    }
    let internalGain = maximumInternalGain(of: SectionGains(best))
    if internalGain > Self.internalGainLimit {
      for index in best.indices { best[index] *= Self.internalGainLimit / internalGain }
    }
    sections = best
    _ = updateResiduals()
    return SectionGains(best)
  }

  /// The target minus the response at each centre in dB, for the gains solved last.
  var residuals: [Double] { Array(anchorResiduals[1...bandCount]) }

  /// The gain in dB of a stage (broadband, low shelf, high shelf, bells) per dB of target gain at
  /// an anchor.
  func weight(ofStage stage: Int, anchor: Int) -> Double {
    matrix[stage * anchorCount + anchor]
  }

  /// The maximum gain in dB inside the cascade, before other sections lower the sound again; 0 if a
  /// simple bound shows that it is within the limit.
  ///
  /// Close bands with opposite target gains need sections with large opposite gains; their sum must
  /// not exceed the range of single precision.
  private func maximumInternalGain(of gains: SectionGains) -> Double {
    let all = abs(gains.broadband) + abs(gains.lowShelf) + abs(gains.highShelf)
    guard all + gains.bells.reduce(0, { $0 + abs($1) }) > Self.internalGainLimit else { return 0 }
    return warpedAnchors.map { warped in
      zip(plan.bells, gains.bells).reduce(all) { sum, section in
        let (over, under) = SectionResponse.bell(
          ratio: warped / section.0.warped, quality: section.0.quality,
          amplitude: CMath.amplitude(decibels: abs(section.1)))
        return sum + 10 * CMath.commonLogarithm(over / under)
      }
    }.max() ?? all
  }

  /// Adds W · residuals to the section gains.
  private mutating func addCorrection() {
    for section in sections.indices {
      var sum = sections[section]
      let row = section * anchorCount
      for anchor in 0..<anchorCount { sum += matrix[row + anchor] * anchorResiduals[anchor] }
      sections[section] = min(max(sum, -Self.maximumGain), Self.maximumGain)
    }
  }

  /// Evaluates the cascade at the anchors and updates the residuals; returns their maximum
  /// magnitude in dB.
  mutating func updateResiduals() -> Double {
    var maximum = 0.0
    let low = CMath.power(10, sections[1] / 40)
    let high = CMath.power(10, sections[2] / 40)
    // Converts the gains of the sections to ratios once, not once per anchor.
    for band in 0..<bandCount {
      bellRatios[band] = CMath.amplitude(decibels: sections[band + Self.sharedStages])
    }
    for anchor in 0..<anchorCount {
      let warped = warpedAnchors[anchor]
      var power = Self.shelfPower(plan, warped, low, high)
      for band in 0..<bandCount {
        let bell = plan.bells[band]
        let (over, under) = SectionResponse.bell(
          ratio: warped / bell.warped, quality: bell.quality, amplitude: bellRatios[band])
        power *= over / under
      }
      anchorResiduals[anchor] =
        targets[anchor] - sections[0] - 10 * CMath.commonLogarithm(power)
      maximum = max(maximum, abs(anchorResiduals[anchor]))
    }
    return maximum
  }

  private static func shelfPower(
    _ plan: SectionPlan, _ warped: Double, _ low: Double, _ high: Double
  ) -> Double {
    let (lowOver, lowUnder) = SectionResponse.lowShelf(
      ratio: warped / plan.lowShelf.warped, quality: plan.lowShelf.quality, root: low)
    let (highOver, highUnder) = SectionResponse.lowShelf(
      ratio: warped / plan.highShelf.warped, quality: plan.highShelf.quality, root: high)
    return lowOver * highOver / (lowUnder * highUnder)
  }

  /// The gain in dB of a cascade with `gains` at `frequency` Hz.
  func response(of gains: SectionGains, at frequency: Double) -> Double {
    let warped = CMath.tangent(.pi * frequency / plan.sampleRate)
    let power = Self.shelfPower(
      plan, warped, CMath.power(10, gains.lowShelf / 40),
      CMath.power(10, gains.highShelf / 40))
    var decibels = gains.broadband + 10 * CMath.commonLogarithm(power)
    for (bell, gain) in zip(plan.bells, gains.bells) {
      let (over, under) = SectionResponse.bell(
        ratio: warped / bell.warped, quality: bell.quality,
        amplitude: CMath.amplitude(decibels: gain))
      decibels += 10 * CMath.commonLogarithm(over / under)
    }
    return decibels
  }
}

extension EqualizerDesign {
  /// Broadband gain and two shelves.
  static let sharedStages = 3
  private static let maximumSteps = 12
  /// In dB.
  static let tolerance = 0.002
  /// In dB; greater residuals of the iteration are refined.
  private static let refinementThreshold = 0.01
  /// In dB; keeps every number finite for target gains that no filter can reach.
  static let maximumGain = 120.0
  /// In dB; far above any prescription, well below the range of single precision.
  private static let internalGainLimit = 500.0
  /// The gain in dB at which the responses in M are computed.
  private static let prototypeGain = 10.0
  /// The weight of the broadband stage in S; every other stage has 1.
  static let broadbandPreference = 8_000.0
  /// Prevents unbounded opposite gains in nearly identical bands.
  private static let regularization = 1e-9

  /// (M S Mᵀ + `damping`)⁻¹ for the rows of M.
  static func inverseGram(of rows: [[Double]], damping: Double) -> [Double] {
    let count = rows.count
    var gram = [Double](repeating: 0, count: count * count)
    for i in 0..<count {
      for j in 0...i {
        var sum = broadbandPreference * rows[i][0] * rows[j][0]
        for stage in 1..<rows[i].count { sum += rows[i][stage] * rows[j][stage] }
        gram[i * count + j] = sum
        gram[j * count + i] = sum
      }
      gram[i * count + i] += damping
    }
    return LinearSystem.inverse(gram, size: count)
  }

  private static func interactionMatrix(plan: SectionPlan, warpedAnchors: [Double]) -> [Double] {
    let anchors = warpedAnchors.count
    let stages = plan.bells.count + sharedStages
    let root = CMath.power(10, prototypeGain / 40)
    func perDecibel(_ ratio: (Double, Double)) -> Double {
      10 * CMath.commonLogarithm(ratio.0 / ratio.1) / prototypeGain
    }
    // Rows of M, with a true high shelf: per dB its response is 1 − that of a low shelf.
    let rows = warpedAnchors.map { warped -> [Double] in
      let low = perDecibel(
        SectionResponse.lowShelf(
          ratio: warped / plan.lowShelf.warped, quality: plan.lowShelf.quality, root: root))
      let high = perDecibel(
        SectionResponse.lowShelf(
          ratio: warped / plan.highShelf.warped, quality: plan.highShelf.quality, root: 1 / root))
      let bells = plan.bells.map { bell in
        perDecibel(
          SectionResponse.bell(
            ratio: warped / bell.warped, quality: bell.quality, amplitude: root * root))
      }
      return [1, low, 1 + high] + bells
    }
    let inverse = inverseGram(of: rows, damping: regularization)
    var matrix = [Double](repeating: 0, count: stages * anchors)
    for stage in 0..<stages {
      let preference = stage == 0 ? broadbandPreference : 1
      for j in 0..<anchors {
        var sum = 0.0
        for i in 0..<anchors { sum += rows[i][stage] * inverse[i * anchors + j] }
        matrix[stage * anchors + j] = preference * sum
      }
    }
    // A high shelf of gain h is a broadband gain h and a low shelf −h.
    for j in 0..<anchors {
      matrix[j] += matrix[2 * anchors + j]
      matrix[2 * anchors + j] = -matrix[2 * anchors + j]
    }
    return matrix
  }
}

extension GainSolver {
  /// The solver for the matrix of `design`, in single precision.
  init(_ design: EqualizerDesign) {
    let plan = design.plan
    self.init(
      anchorCount: plan.anchors.count,
      sectionCount: 4 * SectionTargets.vectorCount(bandCount: plan.bells.count))
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
}
