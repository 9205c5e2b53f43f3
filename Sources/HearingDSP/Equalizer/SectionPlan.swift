internal import HearingBuffers

/// The filter sections of an equaliser for a band layout and a sample rate: two wide shelves, and
/// one bell per band.
///
/// Both shelves are implemented as low shelves. A high shelf equals a low shelf with the opposite
/// gain, combined with a broadband gain. The stage after the cascade applies the broadband gain.
struct SectionPlan {
  /// The anchor frequencies in Hz: one frequency below the first band, the band centres, and one
  /// frequency above the last band. At each anchor frequency, the equaliser must reach a target
  /// gain. The lowest anchor frequency has the target gain of the first band. The highest anchor
  /// frequency has the target gain of the last band.
  let anchors: [Double]

  let lowShelf: SectionPrototype
  let highShelf: SectionPrototype
  let bells: [SectionPrototype]
  let sampleRate: Double

  /// All filter sections: first the two shelves, and then the bells.
  var sections: [SectionPrototype] { [lowShelf, highShelf] + bells }

  /// Chooses the filter sections for a band layout. All band centres must be below 0.45 ×
  /// `sampleRate`.
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

  /// The quality factors of the bells for the given band centres. The quality factor of a bell is
  /// inversely proportional to the mean distance in octaves to the neighbouring bands. One anchor
  /// frequency is close below the first bell, and another anchor frequency is close above the last
  /// bell. Therefore the first and the last bell have a minimum quality.
  ///
  /// The distance to the nearest band limits the width of a bell. Without this limit, the bells of
  /// two close bands would be almost the same filter. The system of equations for the section gains
  /// would then be nearly singular.
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

// The constants in this extension are the result of a numerical optimisation. The optimisation used
// prescriptions for the standard audiograms, and random gains that are typical of hearing loss.
// With these constants, the gain between two band centres is close to a straight line on a
// logarithmic frequency axis. Also, with a single multiplication by the constant matrix of
// ``EqualizerDesign``, the gains are already close to the prescription. Small changes of the
// constants have little effect.
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
  /// The maximum width of a bell, as a multiple of the distance to the nearest neighbouring band.
  private static let maximumBellWidth = 3.0
  private static let maximumQuality = 40.0
  private static let lowerAnchorRatio = 0.577
  private static let upperAnchorRatio = 1.387
  private static let maximumAnchorRatio = 0.47
}

/// The gains in dB of the stages of an equaliser: the broadband stage, two shelves, and one bell
/// per band. All stages together reach the target gains.
struct SectionGains: Equatable {
  var broadband: Double
  var lowShelf: Double
  /// The high shelf is implemented as a low shelf. This property is the gain of that low shelf in
  /// dB: the negative of the high shelf's gain.
  var highShelf: Double
  var bells: [Double]

  /// Creates section gains from a list in this order: broadband stage, low shelf, high shelf,
  /// bells.
  init(_ stages: [Double]) {
    (broadband, lowShelf, highShelf) = (stages[0], stages[1], stages[2])
    bells = Array(stages[EqualizerDesign.sharedStages...])
  }

  /// Creates section gains that are all 0 dB.
  init(bandCount: Int) {
    self.init([Double](repeating: 0, count: bandCount + EqualizerDesign.sharedStages))
  }
}
