internal import HearingBuffers

/// The centre frequency and the bandwidth of the level detector of one band.
///
/// Below and above the band, the detector's response falls by 6 dB per octave, like the response of
/// a second-order band-pass filter.
struct DetectorPrototype {
  /// tan(π f / rate), where f is the centre frequency of the band, and rate is the sample rate.
  let warped: Double

  /// The quality factor of the band-pass filter.
  let quality: Double

  /// The edges of the band in Hz. The edge between two bands is the geometric mean of the two band
  /// centres. On a logarithmic frequency axis, the first band and the last band are symmetrical
  /// around their centres.
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

  /// The detector for sound below the first band of `layout`. The centre of this detector lies
  /// below the first band centre. On a logarithmic frequency axis, the distance from this centre to
  /// the first band centre is 1.25 times the distance between the first two band centres. This
  /// detector also measures much lower frequencies, and is therefore wider than a band.
  static func below(layout: BandLayout, sampleRate: Double) -> DetectorPrototype {
    let centers = layout.centers
    let ratio = centers.count > 1 ? centers[1] / centers[0] : 2
    return DetectorPrototype(
      center: centers[0] / CMath.power(ratio, 1.25), below: ratio,
      above: CMath.power(ratio, 0.75), sampleRate: sampleRate)
  }

  private init(center: Double, below: Double, above: Double, sampleRate: Double) {
    edges = (center / below, center * above)
    // The noise bandwidth of a second-order band-pass filter is π/2 times its −3 dB bandwidth.
    let noiseQuality = .pi / 2 * center / (edges.upper - edges.lower)
    let lower = center * SectionPrototype.lowerEdgeRatio(quality: noiseQuality)
    let narrow = SectionPrototype(frequency: center, lowerEdge: lower, sampleRate: sampleRate)
    warped = narrow.warped
    // The response of a narrow detector, with the quality `narrow.quality`, begins exactly at the
    // lower edge of the band. Above the band, the bilinear transform makes the response of the
    // narrow detector too narrow. Therefore, near half the sample rate, the narrow detector
    // measures a level that is 2 dB too low for white noise. A wide detector, with the quality
    // `wide`, has the full noise bandwidth, but is too sensitive to frequencies below the band. The
    // chosen quality is a compromise: one fifth of the way from `narrow.quality` to `wide`, on a
    // logarithmic scale.
    let relativeWidth = (min(edges.upper, sampleRate / 2) - edges.lower) / (sampleRate / 2)
    let wide = warped * (1 - relativeWidth) / (relativeWidth * (1 + warped * warped))
    quality = narrow.quality * CMath.power(wide / narrow.quality, 0.2)
  }

  /// The detector's response in dB at a frequency f, relative to its response at the band centre.
  /// The parameter `warped` is tan(π f / rate), where rate is the sample rate.
  func reading(of warped: Double) -> Double {
    let detuning = quality * (warped / self.warped - self.warped / warped)
    return -CMath.decibels(power: 1 + detuning * detuning)
  }
}

extension DetectorStates {
  /// Sets the vector lane `lane` to the detector `prototype`. For a steady tone at the centre of
  /// the band, the product of energy and weight is the mean square of the tone.
  mutating func set(_ prototype: DetectorPrototype, lane: Int) {
    let g = prototype.warped
    let norm = 1 + g * (g + 1 / prototype.quality)
    pull[lane] = Float(-4 * g * g / norm)
    persistence[lane] = Float(1 - 2 * g / (prototype.quality * norm))
    // The weight converts energy to mean square. The weight depends on the resonator's response at
    // the centre frequency. The response at the centre frequency is computed from the coefficients
    // after rounding to single precision. The cosine cos ω is computed as 1 − 2 g² / (1 + g²), to
    // avoid a loss of precision at low frequencies.
    let (p, d) = (-Double(pull[lane]), 1 - Double(persistence[lane]))
    let sine = 2 * g / (1 + g * g)
    let real = p - 2 * g * g / (1 + g * g) * (2 - d)
    let imaginary = sine * d
    weight[lane] = Float((real * real + imaginary * imaginary) / (2 * sine * sine))
  }

  /// Writes the detectors to `vectors`. A vector contains four detectors.
  static func write(
    _ prototypes: [DetectorPrototype], to vectors: Row<DetectorStates>
  ) {
    for (index, prototype) in prototypes.enumerated() {
      vectors[index / 4].set(prototype, lane: index % 4)
    }
  }
}
