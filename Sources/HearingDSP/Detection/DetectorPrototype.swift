/// Where the level detector of a band sits and how wide it listens.
///
/// Its skirts are those of a band-pass of second order, 6 dB an octave on both sides.
struct DetectorPrototype {
  /// tan(π f / rate) at the centre.
  let warped: Double

  /// Quality of the band-pass.
  let quality: Double

  /// The edges of the band in Hz: geometric means of neighbouring centres; at the ends as far away
  /// as on the other side.
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
    // A band-pass passes as much white noise as a band of π/2 of its width.
    let wanted = .pi / 2 * center / (edges.upper - edges.lower)
    let lower = center * SectionPrototype.lowerEdgeRatio(quality: wanted)
    let section = SectionPrototype(frequency: center, lowerEdge: lower, sampleRate: sampleRate)
    warped = section.warped
    quality = section.quality
  }
}
