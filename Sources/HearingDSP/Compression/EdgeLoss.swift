internal import HearingBuffers

/// The measurement error (loss) for a tone between the centres of two neighbouring bands.
///
/// Each band can have a maximum output level. The maximum output level applies to the true level of
/// a tone. If the tone is not at a band centre, the measured level is lower than the true level.
/// The loss is computed from the difference between the measured levels of the two bands. If the
/// tone is at the centre of one band, this band measures the true level, and the neighbouring band
/// measures a level far below the true level. The loss is maximal if both bands measure the same
/// level.
struct EdgeLoss {
  /// The loss (measurement error) in dB if the two bands measure the same level.
  var maximum: Float = 0
  /// Two factors that scale the difference in dB between the measured levels of the two bands. The
  /// factor `lower` is 1 divided by the level difference for a tone at the centre of the lower
  /// band. The factor `upper` is 1 divided by the level difference for a tone at the centre of the
  /// upper band.
  var perDifference: (lower: Float, upper: Float) = (0, 0)

  /// The loss (measurement error) in dB of the lower band. The parameters `lower` and `upper` are
  /// the measured levels of the two bands in dB.
  @inline(__always)
  func lowerLoss(lower: Float, upper: Float) -> Float {
    loss(nearness: (upper - lower) * perDifference.lower)
  }

  /// The loss (measurement error) in dB of the upper band. The parameters `lower` and `upper` are
  /// the measured levels of the two bands in dB.
  @inline(__always)
  func upperLoss(lower: Float, upper: Float) -> Float {
    loss(nearness: (lower - upper) * perDifference.upper)
  }

  /// The loss (measurement error) in dB of one band.
  ///
  /// - Parameter nearness: a number from −1 to 0. The number is −1 for a tone at the centre of the
  ///   band, and 0 for a tone that both bands measure with the same level.
  @inline(__always)
  private func loss(nearness: Float) -> Float {
    let limited = max(-1, min(0, nearness))
    return maximum * (1 - limited * limited)
  }
}

extension EdgeLoss {
  /// Computes the measurement error (loss) for tones between the centres of two neighbouring bands.
  init(between lower: DetectorPrototype, and upper: DetectorPrototype) {
    let edge = (lower.warped * upper.warped).squareRoot()
    let loss = -(lower.reading(of: edge) + upper.reading(of: edge)) / 2
    // The differences in dB between the measured levels of the two bands. The first difference is
    // for a tone at the centre of the lower band. The second difference is for a tone at the centre
    // of the upper band.
    let differences = (-upper.reading(of: lower.warped), -lower.reading(of: upper.warped))
    // If the two centre frequencies are almost equal, the loss is almost 0 dB.
    maximum = Float(min(loss, differences.0, differences.1))
    perDifference = (
      lower: Float(1 / max(differences.0, Self.minimumDifference)),
      upper: Float(1 / max(differences.1, Self.minimumDifference))
    )
  }

  /// Writes the measurement error (loss) for each pair of neighbouring `detectors` to `edges`. The
  /// last element of `edges` is not written, because the loss above the last band counts as 0 dB.
  static func write(_ detectors: [DetectorPrototype], to edges: Row<EdgeLoss>) {
    for index in 1..<detectors.count {
      edges[index - 1] = EdgeLoss(between: detectors[index - 1], and: detectors[index])
    }
  }

  /// The minimum difference in dB between the levels of two bands. The minimum prevents a division
  /// by 0.
  private static let minimumDifference = 1e-3
}
