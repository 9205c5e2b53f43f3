/// The frequency and width of a section of the equaliser, without its gain.
struct SectionPrototype: Equatable {
  /// tan(π f / rate) at the section's frequency.
  let warped: Double

  /// Quality: of a bell at 0 dB, or of a shelf.
  let quality: Double

  /// A section at `frequency` Hz for `sampleRate` Hz.
  init(frequency: Double, quality: Double, sampleRate: Double) {
    warped = CMath.tangent(.pi * frequency / sampleRate)
    self.quality = quality
  }

  /// A bell at `frequency` whose lower edge lies at `lowerEdge`, both in Hz.
  ///
  /// The edge is where the bell has half its gain in dB. With a constant quality, the bilinear
  /// transform would narrow bells near half the sample rate.
  init(frequency: Double, lowerEdge: Double, sampleRate: Double) {
    let center = CMath.tangent(.pi * frequency / sampleRate)
    let ratio = CMath.tangent(.pi * lowerEdge / sampleRate) / center
    warped = center
    quality = 1 / (1 / ratio - ratio)
  }

  /// The ratio of lower edge to centre of a bell with `quality`, both as tan(π f / rate).
  static func lowerEdgeRatio(quality: Double) -> Double {
    let half = 1 / (2 * quality)
    return (1 + half * half).squareRoot() - half
  }
}
