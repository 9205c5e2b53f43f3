/// The frequencies and widths of four sections, the same for every channel and all settings.
struct SectionLayout {
  /// tan(π f / rate); 0 in a lane without a section.
  var g: Float4 = .zero

  /// Damping at 0 dB, 1 / quality.
  var damping: Float4 = .zero

  /// Nonzero in the lanes that hold a low shelf; the others hold bells.
  var shelf: SIMD4<Int32> = .zero

  /// g k and 1 + g² of the bells.
  var width: Float4 = .zero
  var skirt: Float4 = .init(repeating: 1)

  /// Whether there is any shelf.
  var hasShelf = false

  /// The sections at `gain` (as in ``SectionTargets/gain``), to within 0.0001 dB.
  ///
  /// A bell of amplitude A² has k = 1 / (Q A), m1 = k (A² − 1), m2 = 0; a low shelf has
  /// g = tan(…) / √A, k = 1 / Q, m1 = k (A − 1), m2 = A² − 1 (Simper, "Linear trapezoidal
  /// integrated state variable filter with low noise optimisation", 2013).
  @inline(__always)
  func coefficients(gain: Float4) -> SectionCoefficients {
    hasShelf ? sections(gain: gain) : bells(ratio: gain.powerOfTwo)
  }

  @inline(__always)
  private func bells(ratio: Float4) -> SectionCoefficients {
    let norm = 1 / (ratio * skirt + width)
    let (a, c) = ((ratio + ratio) * norm, g * g)
    return SectionCoefficients(a: a, b: c * a, c: c, e: (ratio * ratio - 1) * (width * norm))
  }

  @inline(__always)
  private func sections(gain: Float4) -> SectionCoefficients {
    let isShelf = shelf .!= 0
    let root = (gain * 0.5).powerOfTwo
    let ratio = root * root
    let excess = ratio * ratio - 1
    let inverse = 1 / ratio
    let bell = bells(ratio: ratio)
    let integrator = g * (root * inverse)
    let shelfA = 2 / (1 + integrator * (integrator + damping))
    let shelfE = (damping * (ratio - 1) + excess * integrator) * integrator * shelfA * 0.5
    let a = bell.a.replacing(with: shelfA, where: isShelf)
    let c = bell.c.replacing(with: integrator * integrator, where: isShelf)
    return SectionCoefficients(
      a: a, b: c * a, c: c,
      e: bell.e.replacing(with: shelfE, where: isShelf), f: excess.kept(where: isShelf))
  }
}
