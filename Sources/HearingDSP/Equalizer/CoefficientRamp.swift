/// How coefficients and gains move between two edges.
enum RampShape: BitwiseCopyable {
  /// They do not move.
  case none
  /// On a straight line.
  case straight
  /// On a parabola, a piece of a quadratic B-spline (de Boor, "A Practical Guide to Splines",
  /// 1978): it runs from the midpoint of the previous two points to the midpoint of the last two.
  /// Pieces join without a corner, and each stays within the triangle of its three points.
  ///
  /// A corner at every edge would add copies of the sound, shifted in frequency by multiples of the
  /// rate of the edges. At those frequencies the gain may be 60 dB higher than at the sound itself.
  case curved

  // Comparing with == would access the type's metadata, which the render path must not do.
  var isNone: Bool {
    @inline(__always) get { if case .none = self { true } else { false } }
  }

  var isCurved: Bool {
    @inline(__always) get {
      if case .curved = self { true } else { false }
    }
  }
}

/// A coefficient of four sections that changes with every sample.
protocol CoefficientRamp {
  /// - Parameters:
  ///   - now: the coefficient before the first sample.
  ///   - step: its change with the first sample.
  ///   - bend: how much `step` changes with every sample.
  init(now: Float4, step: Float4, bend: Float4)

  var now: Float4 { get }
  var step: Float4 { get }

  /// Advances by one sample.
  mutating func advance()

  /// Advances by one sample in the lanes where `mask` is true.
  mutating func advance(where mask: SIMDMask<SIMD4<Int32>>)
}

/// A coefficient on a straight line.
struct StraightRamp: CoefficientRamp {
  private(set) var now: Float4
  let step: Float4

  @inline(__always)
  init(now: Float4, step: Float4, bend: Float4) {
    self.now = now
    self.step = step
  }

  @inline(__always)
  mutating func advance() {
    now += step
  }

  @inline(__always)
  mutating func advance(where mask: SIMDMask<SIMD4<Int32>>) {
    now += step.kept(where: mask)
  }
}

/// A coefficient on a parabola.
struct CurvedRamp: CoefficientRamp {
  private(set) var now: Float4
  private(set) var step: Float4
  private let bend: Float4

  @inline(__always)
  init(now: Float4, step: Float4, bend: Float4) {
    self.now = now
    self.step = step
    self.bend = bend
  }

  @inline(__always)
  mutating func advance() {
    now += step
    step += bend
  }

  @inline(__always)
  mutating func advance(where mask: SIMDMask<SIMD4<Int32>>) {
    now += step.kept(where: mask)
    step += bend.kept(where: mask)
  }
}
