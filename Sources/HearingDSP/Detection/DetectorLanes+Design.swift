extension DetectorLanes {
  /// Makes `lane` the detector `prototype`, so that a steady tone at its centre reads its mean
  /// square.
  mutating func set(_ prototype: DetectorPrototype, lane: Int) {
    let g = prototype.warped
    h[lane] = Float(2 * g / (1 + g))
    a[lane] = Float(2 / (1 + g * (g + 1 / prototype.quality)))
    c[lane] = Float(g * g)
    // From the numbers that single precision leaves.
    let integrator = Double(c[lane]).squareRoot()
    let damping = (2 / Double(a[lane]) - 1) / integrator - integrator
    let scale = damping * Double(a[lane]) * integrator / 2
    // The high-pass at the centre, where cos ω = (1 − g²) / (1 + g²).
    let cosine = (1 - g * g) / (1 + g * g)
    let pole = 1 - Double(h[lane])
    let highPass = (2 - 2 * cosine) / (1 + pole * pole - 2 * pole * cosine)
    bandWeight[lane] = Float(scale * scale / (2 * highPass))
    lowWeight[lane] = Float(scale * scale / (2 * highPass * integrator * integrator))
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
