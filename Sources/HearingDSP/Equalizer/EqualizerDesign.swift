internal import HearingBuffers

/// Computes the gains of all filter sections of a cascade from the target gains at the band
/// centres.
///
/// The design is based on the graphic equaliser of Välimäki & Liski, "Accurate cascade graphic
/// equalizer" (IEEE Signal Processing Letters 24, 2017). In addition to the bell filters of the
/// graphic equaliser, this design has a broadband gain stage and two wide shelf filters. Each
/// section also changes the gain at the centres of other bands. Therefore a constant matrix W
/// distributes the target gains among the sections:
///
///     W = S Mᵀ (M S Mᵀ)⁻¹
///
/// The matrix M contains the response of each section at every anchor frequency, in dB per dB of
/// section gain. The diagonal matrix S contains the weights of the sections. The broadband stage
/// has the maximum weight. The response of a section in dB is not exactly proportional to the gain
/// of the section. Therefore the matrix W is applied repeatedly to the remaining error (the
/// residual), until the residual is small enough.
struct EqualizerDesign {
  let plan: SectionPlan
  private let bandCount: Int
  private let anchorCount: Int

  /// The matrix W in row-major order. There is one row per stage (broadband, low shelf, high shelf,
  /// bells) and one column per anchor frequency.
  private let matrix: [Double]

  /// tan(π f / rate) for each anchor frequency f.
  let warpedAnchors: [Double]

  private var targets: [Double]
  private(set) var anchorResiduals: [Double]
  var sections: [Double]
  private var best: [Double]
  /// Scratch memory of ``updateResiduals()`` for the amplitude ratios of the bells.
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

  /// The section gains for the target gains `gains` in dB at the band centres, `[band]`.
  ///
  /// If all target gains are 0, all section gains are exactly 0.
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

  /// The gain error in dB at each band centre, for the last result of ``sectionGains(for:)``. The
  /// error is the target gain minus the gain that the filters reach.
  var residuals: [Double] { Array(anchorResiduals[1...bandCount]) }

  /// The gain in dB of a stage (broadband, low shelf, high shelf, bells) per dB of target gain at
  /// an anchor frequency.
  func weight(ofStage stage: Int, anchor: Int) -> Double {
    matrix[stage * anchorCount + anchor]
  }

  /// An upper bound of the gain in dB from the input to any point inside the cascade. The result is
  /// the maximum of the bounds at the anchor frequencies. If the sum of the magnitudes of all
  /// section gains does not exceed `internalGainLimit`, the result is 0.
  ///
  /// If the centres of two bands are close and the target gains have opposite signs, the sections
  /// of these bands need large opposite gains. The signal inside the cascade must not exceed the
  /// range of single precision.
  private func maximumInternalGain(of gains: SectionGains) -> Double {
    let all = abs(gains.broadband) + abs(gains.lowShelf) + abs(gains.highShelf)
    guard all + gains.bells.reduce(0, { $0 + abs($1) }) > Self.internalGainLimit else { return 0 }
    return warpedAnchors.map { warped in
      zip(plan.bells, gains.bells).reduce(all) { sum, section in
        let (over, under) = SectionResponse.bell(
          ratio: warped / section.0.warped, quality: section.0.quality,
          amplitude: CMath.amplitude(decibels: abs(section.1)))
        return sum + CMath.decibels(power: over / under)
      }
    }.max() ?? all
  }

  /// Adds the product of the matrix W and the residuals to the section gains. A residual is the
  /// remaining gain error in dB at an anchor frequency.
  private mutating func addCorrection() {
    for section in sections.indices {
      var sum = sections[section]
      let row = section * anchorCount
      for anchor in 0..<anchorCount { sum += matrix[row + anchor] * anchorResiduals[anchor] }
      sections[section] = min(max(sum, -Self.maximumGain), Self.maximumGain)
    }
  }

  /// Computes the gain of the cascade at the anchor frequencies, and updates the residuals. A
  /// residual is the target gain minus the computed gain, in dB.
  ///
  /// - Returns: the maximum magnitude of the residuals in dB.
  mutating func updateResiduals() -> Double {
    var maximum = 0.0
    let low = CMath.power(10, sections[1] / 40)
    let high = CMath.power(10, sections[2] / 40)
    // Converts the section gains to amplitude ratios once, instead of once per anchor frequency.
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
        targets[anchor] - sections[0] - CMath.decibels(power: power)
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

  /// The gain in dB at `frequency` Hz of a cascade with the section gains `gains`.
  func response(of gains: SectionGains, at frequency: Double) -> Double {
    let warped = CMath.tangent(.pi * frequency / plan.sampleRate)
    let power = Self.shelfPower(
      plan, warped, CMath.power(10, gains.lowShelf / 40),
      CMath.power(10, gains.highShelf / 40))
    var decibels = gains.broadband + CMath.decibels(power: power)
    for (bell, gain) in zip(plan.bells, gains.bells) {
      let (over, under) = SectionResponse.bell(
        ratio: warped / bell.warped, quality: bell.quality,
        amplitude: CMath.amplitude(decibels: gain))
      decibels += CMath.decibels(power: over / under)
    }
    return decibels
  }
}

extension EqualizerDesign {
  /// The number of stages other than bells: the broadband gain and two shelves.
  static let sharedStages = 3
  private static let maximumSteps = 12
  /// The iteration stops when the remaining gain error is at most 0.002 dB at every anchor
  /// frequency.
  static let tolerance = 0.002
  /// If the remaining gain error exceeds 0.01 dB at an anchor frequency, ``refine()`` is called.
  private static let refinementThreshold = 0.01
  /// The maximum gain of a section in dB. With the limit of 120 dB, all computed numbers are
  /// finite, even if no filter can reach the target gains.
  static let maximumGain = 120.0
  /// The maximum gain in dB inside the cascade. A gain of 500 dB is far above the gains of any
  /// prescription. The maximum number in single precision corresponds to about 770 dB.
  private static let internalGainLimit = 500.0
  /// The section gain in dB for which the responses in the matrix M are computed.
  private static let prototypeGain = 10.0
  /// The weight of the broadband stage in the matrix S. Every other stage has the weight 1.
  static let broadbandPreference = 8_000.0
  /// The damping λ in the computation of the constant matrix W. Damping prevents very large
  /// opposite gains in bands with nearly the same centre frequency.
  private static let regularization = 1e-9

  /// (M S Mᵀ + λ I)⁻¹, where `rows` contains the rows of M, and λ is `damping`.
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
      CMath.decibels(power: ratio.0 / ratio.1) / prototypeGain
    }
    // The rows of the matrix M. The cascade implements the high shelf as a low shelf, but M
    // contains the response of a true high shelf. Per dB of gain, the response of a true high shelf
    // is 1 minus the response of a low shelf.
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
    // A high shelf with the gain h equals a broadband gain h plus a low shelf with the gain −h, all
    // in dB.
    for j in 0..<anchors {
      matrix[j] += matrix[2 * anchors + j]
      matrix[2 * anchors + j] = -matrix[2 * anchors + j]
    }
    return matrix
  }
}
