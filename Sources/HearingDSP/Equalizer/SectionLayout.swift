/// The frequencies and widths of four filter sections. The frequencies and widths are the same for
/// all channels and settings.
struct SectionLayout {
  /// g = tan(π f / rate), where f is the frequency of the section, and rate is the sample rate. In
  /// a vector lane without a section, g is 0.
  var g: Float4 = .zero

  /// The damping k at a gain of 0 dB: 1 divided by the quality factor of the section.
  var damping: Float4 = .zero

  /// Contains 1 in a vector lane with a low shelf, and 0 in a lane with a bell.
  var shelf: SIMD4<Int32> = .zero

  /// For each bell, the product of g and the damping k at a gain of 0 dB.
  var width: Float4 = .zero
  /// For each bell, the sum 1 + g².
  var skirt: Float4 = .init(repeating: 1)

  /// Whether any of the four sections is a shelf.
  var hasShelf = false

  /// The coefficients of the sections for the gain `gain`, with an error of at most 0.0001 dB. The
  /// parameter `gain` has the same unit as ``SectionTargets/gain``.
  ///
  /// For the symbols g, k, m1 and m2, see ``SectionCoefficients``. The amplitude ratio of a section
  /// is A², and the quality of the section is Q. A bell has k = 1 / (Q A), m1 = k (A² − 1) and m2 =
  /// 0. A low shelf has g = tan(π f / rate) / √A, k = 1 / Q, m1 = k (A − 1) and m2 = A² − 1. See
  /// Simper, "Linear trapezoidal integrated state variable filter with low noise optimisation",
  /// 2013.
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
    let shelf: Float4 = damping * (ratio - 1) + excess * integrator
    let shelfE = shelf * integrator * shelfA * 0.5
    let a = bell.a.replacing(with: shelfA, where: isShelf)
    let c = bell.c.replacing(with: integrator * integrator, where: isShelf)
    return SectionCoefficients(
      a: a, b: c * a, c: c,
      e: bell.e.replacing(with: shelfE, where: isShelf), f: excess.kept(where: isShelf))
  }
}
