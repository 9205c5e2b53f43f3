internal import HearingBuffers

/// How much too low, in dB, two neighbouring bands measure a tone between them.
///
/// A maximum output applies to the tone itself, not to the part of it that a detector passes. The
/// two readings show how far the tone is from the centres: for a tone at a centre, one band reads
/// its full level and the other much less; where both readings are equal, the loss is at its
/// maximum.
struct EdgeLoss {
  /// The loss in dB where both readings are equal.
  var maximum: Float = 0
  /// One divided by the difference in dB of both readings, for a tone at the centre of the lower
  /// band, and of the upper band.
  var perDifference: (lower: Float, upper: Float) = (0, 0)

  /// The loss in dB of the band below this edge.
  @inline(__always)
  func lowerLoss(lower: Float, upper: Float) -> Float {
    loss(nearness: (upper - lower) * perDifference.lower)
  }

  /// The loss in dB of the band above this edge.
  @inline(__always)
  func upperLoss(lower: Float, upper: Float) -> Float {
    loss(nearness: (lower - upper) * perDifference.upper)
  }

  /// - Parameter nearness: −1 for a tone at the centre of the band, 0 where both readings are
  ///   equal.
  @inline(__always)
  private func loss(nearness: Float) -> Float {
    let limited = max(-1, min(0, nearness))
    return maximum * (1 - limited * limited)
  }
}

extension EdgeLoss {
  /// The edge between two bands.
  init(between lower: DetectorPrototype, and upper: DetectorPrototype) {
    let edge = (lower.warped * upper.warped).squareRoot()
    let loss = -(lower.reading(of: edge) + upper.reading(of: edge)) / 2
    // How much less the neighbour reads of a tone at the centre of the lower and the upper band.
    let differences = (-upper.reading(of: lower.warped), -lower.reading(of: upper.warped))
    // Bands that hardly differ lose hardly anything at the edge between them.
    maximum = Float(min(loss, differences.0, differences.1))
    perDifference = (
      lower: Float(1 / max(differences.0, Self.minimumDifference)),
      upper: Float(1 / max(differences.1, Self.minimumDifference))
    )
  }

  /// Writes the edges between `bands` to the elements 1… of `edges`. The first and the last element
  /// belong to the outer ends, where a band has no neighbour and no loss.
  static func write(_ bands: [DetectorPrototype], to edges: Row<EdgeLoss>) {
    for index in 1..<max(bands.count, 1) {
      edges[index] = EdgeLoss(between: bands[index - 1], and: bands[index])
    }
  }

  /// In dB.
  private static let minimumDifference = 1e-3
}
