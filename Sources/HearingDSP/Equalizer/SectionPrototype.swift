/// The frequency and the width of an equaliser section. The gain of the section is stored
/// separately.
struct SectionPrototype: Equatable {
  /// tan(π f / rate), where f is the frequency of the section, and rate is the sample rate.
  let warped: Double

  /// The quality factor of a shelf, or of a bell at a gain of 0 dB.
  let quality: Double

  /// Creates a section at `frequency` Hz for a sample rate of `sampleRate` Hz.
  init(frequency: Double, quality: Double, sampleRate: Double) {
    warped = CMath.tangent(.pi * frequency / sampleRate)
    self.quality = quality
  }

  /// Creates a bell with the centre frequency `frequency` and the lower edge `lowerEdge`, both in
  /// Hz.
  ///
  /// At the lower edge, the gain of the bell in dB is half of the gain at the centre. With a
  /// constant quality, the bilinear transform would make bells near half the sample rate too
  /// narrow. Therefore the quality is computed from the lower edge.
  init(frequency: Double, lowerEdge: Double, sampleRate: Double) {
    let center = CMath.tangent(.pi * frequency / sampleRate)
    let ratio = CMath.tangent(.pi * lowerEdge / sampleRate) / center
    warped = center
    quality = 1 / (1 / ratio - ratio)
  }

  /// The ratio tan(π f1 / rate) / tan(π f0 / rate) of a bell with the quality factor `quality`. The
  /// lower edge of the bell is f1, the centre is f0, and the sample rate is rate.
  static func lowerEdgeRatio(quality: Double) -> Double {
    let half = 1 / (2 * quality)
    return (1 + half * half).squareRoot() - half
  }
}
