internal import HearingBuffers

/// The frequency and bandwidth of the level detector of a band.
///
/// Its skirts are those of a band-pass of second order, 6 dB an octave on both sides.
struct DetectorPrototype {
  /// tan(π f / rate) at the centre.
  let warped: Double

  /// Quality of the band-pass.
  let quality: Double

  /// The edges of the band in Hz: geometric means of neighbouring centres. The outer edges of the
  /// first and the last band mirror their inner edges on a logarithmic frequency axis.
  let edges: (lower: Double, upper: Double)

  /// The detectors of all bands of `layout`.
  static func all(layout: BandLayout, sampleRate: Double) -> [DetectorPrototype] {
    let centers = layout.centers
    return centers.indices.map { band in
      let below = band > 0 ? (centers[band] / centers[band - 1]).squareRoot() : nil
      let above =
        band + 1 < centers.count ? (centers[band + 1] / centers[band]).squareRoot() : nil
      return DetectorPrototype(
        center: centers[band], below: below ?? above ?? 2.0.squareRoot(),
        above: above ?? below ?? 2.0.squareRoot(), sampleRate: sampleRate)
    }
  }

  private init(center: Double, below: Double, above: Double, sampleRate: Double) {
    edges = (center / below, center * above)
    // The noise bandwidth of a band-pass of second order is π/2 times its −3 dB bandwidth.
    let noiseQuality = .pi / 2 * center / (edges.upper - edges.lower)
    let lower = center * SectionPrototype.lowerEdgeRatio(quality: noiseQuality)
    let narrow = SectionPrototype(frequency: center, lowerEdge: lower, sampleRate: sampleRate)
    warped = narrow.warped
    // With an exact lower edge, the bilinear transform narrows the upper skirt: near half the
    // sample rate, the level of white noise reads 2 dB too low. A detector that is wide enough for
    // all of the noise would pass too much sound below its band. The compromise is a fifth of the
    // way from the narrow to the wide detector, on a logarithmic scale of quality.
    let relativeWidth = (min(edges.upper, sampleRate / 2) - edges.lower) / (sampleRate / 2)
    let wide = warped * (1 - relativeWidth) / (relativeWidth * (1 + warped * warped))
    quality = narrow.quality * CMath.power(wide / narrow.quality, 0.2)
  }

  /// The reading in dB for a tone of frequency f, relative to a tone at the centre; `warped` is
  /// tan(π f / rate).
  func reading(of warped: Double) -> Double {
    let detuning = quality * (warped / self.warped - self.warped / warped)
    return -10 * CMath.commonLogarithm(1 + detuning * detuning)
  }
}

extension DetectorStates {
  /// Sets `lane` to the detector `prototype`, scaled so that the reading for a steady tone at its
  /// centre is the tone's mean square.
  mutating func set(_ prototype: DetectorPrototype, lane: Int) {
    let g = prototype.warped
    let norm = 1 + g * (g + 1 / prototype.quality)
    pull[lane] = Float(-4 * g * g / norm)
    persistence[lane] = Float(1 - 2 * g / (prototype.quality * norm))
    // The scale is the response of the resonator at the centre, computed from the coefficients
    // after they were rounded to single precision. The form cos ω = 1 − 2 g² / (1 + g²) loses no
    // digits at low frequencies.
    let (p, d) = (-Double(pull[lane]), 1 - Double(persistence[lane]))
    let sine = 2 * g / (1 + g * g)
    let real = p - 2 * g * g / (1 + g * g) * (2 - d)
    let imaginary = sine * d
    weight[lane] = Float((real * real + imaginary * imaginary) / (2 * sine * sine))
  }

  /// Writes the detectors of a layout's bands to `vectors`.
  static func write(
    _ prototypes: [DetectorPrototype], to vectors: Row<DetectorStates>
  ) {
    for (band, prototype) in prototypes.enumerated() {
      vectors[band / 4].set(prototype, lane: band % 4)
    }
  }
}
