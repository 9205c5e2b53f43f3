/// The shape of the change of filter coefficients and gains during a sub-block (at most 1 ms).
enum RampShape: BitwiseCopyable {
  /// Coefficients and gains are constant.
  case none
  /// Coefficients and gains change along a straight line.
  case straight
  /// Coefficients and gains change along a parabola.
  ///
  /// Each sub-block has one parabola. Together, the parabolas of consecutive sub-blocks form a
  /// quadratic B-spline (de Boor, "A Practical Guide to Splines", 1978). Each parabola has three
  /// control points. A parabola starts at the midpoint between its first two control points, and
  /// ends at the midpoint between its last two control points. Consecutive parabolas join without a
  /// corner. Each parabola lies inside the triangle of its control points.
  ///
  /// If the curve had a corner at the end of every sub-block, the output would contain copies of
  /// the signal at shifted frequencies. The shifts would be multiples of the number of sub-blocks
  /// per second. The copies could be loud. For example, the gain at the shifted frequency may be 60
  /// dB higher than the gain at the frequency of the signal.
  case curved

  // The operator == would access the type metadata of the enum. Code on the audio thread must not
  // access type metadata.
  var isNone: Bool {
    @inline(__always) get { if case .none = self { true } else { false } }
  }

  var isCurved: Bool {
    @inline(__always) get {
      if case .curved = self { true } else { false }
    }
  }
}

/// One filter coefficient of four sections. The coefficient changes with every sample.
protocol CoefficientRamp {
  /// - Parameters:
  ///   - now: the coefficient before the first sample.
  ///   - step: the change of the coefficient at the first sample.
  ///   - bend: the change of `step` from one sample to the next.
  init(now: Float4, step: Float4, bend: Float4)

  var now: Float4 { get }
  var step: Float4 { get }

  /// Advances the coefficient by one sample.
  mutating func advance()

  /// Advances the coefficient by one sample in the lanes where `mask` is true.
  mutating func advance(where mask: SIMDMask<SIMD4<Int32>>)
}

/// A coefficient that changes along a straight line.
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

/// A coefficient that changes along a parabola.
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
