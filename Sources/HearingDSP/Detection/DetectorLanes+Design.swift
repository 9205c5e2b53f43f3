extension DetectorLanes {
  /// Makes `lane` the detector `prototype`, so that a steady tone at its centre reads its mean
  /// square.
  mutating func set(_ prototype: DetectorPrototype, lane: Int) {
    let g = prototype.warped
    let norm = 1 + g * (g + 1 / prototype.quality)
    pull[lane] = Float(-4 * g * g / norm)
    persistence[lane] = Float(1 - 2 * g / (prototype.quality * norm))
    // From the numbers that single precision leaves: the resonator at the centre, where
    // cos ω = 1 − 2 g² / (1 + g²), so that no digits are lost at low frequencies.
    let (p, d) = (-Double(pull[lane]), 1 - Double(persistence[lane]))
    let sine = 2 * g / (1 + g * g)
    let real = p - 2 * g * g / (1 + g * g) * (2 - d)
    let imaginary = sine * d
    weight[lane] = Float((real * real + imaginary * imaginary) / (2 * sine * sine))
  }

  /// Writes the detectors of a layout's bands to `vectors`.
  static func write(
    _ prototypes: [DetectorPrototype], to vectors: UnsafeMutablePointer<DetectorLanes>
  ) {
    for (band, prototype) in prototypes.enumerated() {
      vectors[band / 4].set(prototype, lane: band % 4)
    }
  }
}
