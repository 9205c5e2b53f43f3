internal import HearingBuffers

/// The sections for a layout at a sample rate: two wide shelves and one bell per band.
///
/// Both shelves are low shelves: a high shelf equals a low shelf with the opposite gain plus a
/// broadband gain, and the cascade has a broadband stage anyway.
struct SectionPlan {
  /// Frequencies in Hz at which the gain must equal a target: the centres, and one more at each end
  /// with the target of the outermost band.
  let anchors: [Double]

  let lowShelf: SectionPrototype
  let highShelf: SectionPrototype
  let bells: [SectionPrototype]
  let sampleRate: Double

  /// Both shelves, then the bells.
  var sections: [SectionPrototype] { [lowShelf, highShelf] + bells }

  /// Plans for a layout whose centres lie below 0.45 × `sampleRate`.
  init(layout: BandLayout, sampleRate: Double) {
    let centers = layout.centers
    let first = centers[0]
    let last = centers[centers.count - 1]
    self.sampleRate = sampleRate
    anchors =
      [first * Self.lowerAnchorRatio] + centers
      + [min(last * Self.upperAnchorRatio, Self.maximumAnchorRatio * sampleRate)]

    let isTuned =
      centers.count >= Self.minimumTunedBands
      && BandLayout.audiometric.centers.starts(with: centers)
    let low =
      isTuned ? Self.tunedLowShelf : first * CMath.power(last / first, Self.lowShelfPosition)
    let high =
      isTuned ? Self.tunedHighShelf : first * CMath.power(last / first, Self.highShelfPosition)
    lowShelf = SectionPrototype(
      frequency: low, quality: Self.lowShelfQuality, sampleRate: sampleRate)
    highShelf = SectionPrototype(
      frequency: high, quality: Self.highShelfQuality, sampleRate: sampleRate)
    let qualities = isTuned ? Self.tunedQualities : Self.qualities(of: centers)
    bells = zip(centers, qualities).map { center, quality in
      let ratio = SectionPrototype.lowerEdgeRatio(quality: quality)
      var edge = center * ratio
      if isTuned {
        let rate = Self.tunedSampleRate
        edge = CMath.arcTangent(CMath.tangent(.pi * center / rate) * ratio) * rate / .pi
      }
      return SectionPrototype(frequency: center, lowerEdge: edge, sampleRate: sampleRate)
    }
  }

  /// Bell qualities for any centres: inversely proportional to the mean distance to the neighbours
  /// in octaves; the outermost bells are no wider than the distance to the end anchors allows.
  ///
  /// A bell is never much wider than the distance to the nearest band: two close bells would be
  /// almost the same filter, and the equations singular.
  private static func qualities(of centers: [Double]) -> [Double] {
    let positions = centers.map(CMath.binaryLogarithm)
    let last = centers.count - 1
    return centers.indices.map { index in
      guard last > 0 else { return outermostQuality }
      let below = index > 0 ? positions[index] - positions[index - 1] : nil
      let above = index < last ? positions[index + 1] - positions[index] : nil
      let (left, right) = (below ?? above ?? 1, above ?? below ?? 1)
      let distance = min((left + right) / 2, maximumBellWidth * min(left, right))
      let quality = min(qualityTimesOctaves / distance, maximumQuality)
      return index == 0 || index == last ? max(quality, outermostQuality) : quality
    }
  }
}

// Found numerically, over prescriptions for the standard audiograms and random gains typical of
// hearing loss. These widths keep the gain between the centres closest to a straight line on a
// logarithmic frequency axis, while the gains of the interaction matrix alone stay close to the
// prescription. The optimum is flat.
extension SectionPlan {
  private static let tunedSampleRate = 48_000.0
  private static let tunedQualities = [
    2.19, 1.35, 2.29, 0.88, 1.055, 1.445, 1.49, 1.715, 1.51, 2.85,
  ]
  private static let tunedLowShelf = 1_147.0
  private static let tunedHighShelf = 2_336.0
  private static let minimumTunedBands = 5
  private static let lowShelfQuality = 0.38
  private static let highShelfQuality = 0.453
  private static let lowShelfPosition = 0.44
  private static let highShelfPosition = 0.645
  private static let qualityTimesOctaves = 0.9
  private static let outermostQuality = 1.8
  /// In multiples of the distance to the nearest neighbour.
  private static let maximumBellWidth = 3.0
  private static let maximumQuality = 40.0
  private static let lowerAnchorRatio = 0.577
  private static let upperAnchorRatio = 1.387
  private static let maximumAnchorRatio = 0.47
}

/// The gains in dB of an equaliser's stages that together give the target gains.
struct SectionGains: Equatable {
  var broadband: Double
  var lowShelf: Double
  /// As a low shelf: the negative of the gain that it adds at high frequencies.
  var highShelf: Double
  var bells: [Double]

  /// The gains of broadband stage, low shelf, high shelf and bells, in this order.
  init(_ stages: [Double]) {
    (broadband, lowShelf, highShelf) = (stages[0], stages[1], stages[2])
    bells = Array(stages[EqualizerDesign.sharedStages...])
  }

  /// All gains at 0 dB.
  init(bandCount: Int) {
    self.init([Double](repeating: 0, count: bandCount + EqualizerDesign.sharedStages))
  }
}
