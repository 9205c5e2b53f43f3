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
    let narrow = SectionPrototype(frequency: center, lowerEdge: lower, sampleRate: sampleRate)
    warped = narrow.warped
    // With its lower edge in place, the bilinear transform squeezes its upper skirt: near half the
    // sample rate white noise reads 2 dB too low. So wide as to pass all of it, it would hear too much
    // of what is below. A fifth of the way, on a logarithmic scale, keeps both within bounds.
    let share = (min(edges.upper, sampleRate / 2) - edges.lower) / (sampleRate / 2)
    let wide = warped * (1 - share) / (share * (1 + warped * warped))
    quality = narrow.quality * Elementary.power(wide / narrow.quality, 0.2)
  }
}
