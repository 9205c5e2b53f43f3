/// Filters one or two channels frame by frame, one section after another.
///
/// For runs too short to be skewed across the lanes; the results are bit-identical to those of
/// ``Cascade``.
enum FrameCascade {
  /// Filters `count` samples of one or both channels in place, as ``Cascade`` does.
  @_noLocks @_noAllocation
  static func run(
    vectors: Int, ramp: RampShape, isPair: Bool, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, count: Int,
    leftSections: CascadeSections, rightSections: CascadeSections
  ) {
    let isRamped = ramp != .none
    var done = 0
    while done < vectors {
      let end = min(done + SectionStates.vectorsPerPass, vectors)
      var index = 0
      while index < count {
        var (y, z) = (left[index], isPair ? right[index] : 0)
        if isRamped {
          for vector in done..<end {
            move(leftSections + vector, ramp, areBells: vector > 0)
            if isPair { move(rightSections + vector, ramp, areBells: vector > 0) }
          }
        }
        // The last lane filters first, as in a skewed run.
        var lane = CascadeSkew.length
        while lane >= 0 {
          for vector in done..<end {
            let one = SingleSection(leftSections.states + vector, lane: lane)
            let isBell = vector > 0
            y = isRamped ? one.ramped(y, isBell: isBell) : one.filtered(y, isBell: isBell)
            guard isPair else { continue }
            let other = SingleSection(rightSections.states + vector, lane: lane)
            z = isRamped ? other.ramped(z, isBell: isBell) : other.filtered(z, isBell: isBell)
          }
          lane -= 1
        }
        left[index] = y
        if isPair { right[index] = z }
        index += 1
      }
      done = end
    }
  }

  /// Moves the coefficients of a vector on by a sample.
  @_noLocks @_noAllocation @inline(__always)
  private static func move(_ sections: CascadeSections, _ shape: RampShape, areBells: Bool) {
    sections.ramps?.pointee.slopes.move(&sections.states.pointee.now, shape, areBells: areBells)
  }
}

/// One of the four sections in ``SectionStates``; rounds exactly as the vector form does.
///
/// It reads the numbers by address: reading a lane by subscript would cost more than the filter.
struct SingleSection {
  private let numbers: UnsafeMutableRawPointer

  @_noLocks @_noAllocation @inline(__always)
  init(_ sections: UnsafeMutablePointer<SectionStates>, lane: Int) {
    numbers = UnsafeMutableRawPointer(sections) + lane &* MemoryLayout<Float>.stride
  }

  /// Filters a sample with the coefficients of a ramp.
  @_noLocks @_noAllocation @inline(__always)
  func ramped(_ x: Float, isBell: Bool) -> Float {
    let (s1, s2) = (self.s1, self.s2)
    let u = (s1 - s2) + x
    let v = a * u
    self.s1 = v - s1
    self.s2 = s2 + (isBell ? c * v : b * u)
    return (isBell ? x : x + f * s2) + e * u
  }

  /// Filters a sample with static coefficients.
  @_noLocks @_noAllocation @inline(__always)
  func filtered(_ x: Float, isBell: Bool) -> Float {
    let (s1, s2) = (self.s1, self.s2)
    let (a, e) = (self.a, self.e)
    let q = s1 - s2
    let u = q + x
    self.s1 = a * u - s1
    self.s2 = s2 + (isBell ? c * a : b) * u
    return (1 + e) * x + (isBell ? e * q : e * q + f * s2)
  }

  var s1: Float {
    @_noLocks @_noAllocation @inline(__always) get { number(0) }
    @_noLocks @_noAllocation @inline(__always) nonmutating set { setNumber(0, newValue) }
  }

  var s2: Float {
    @_noLocks @_noAllocation @inline(__always) get { number(1) }
    @_noLocks @_noAllocation @inline(__always) nonmutating set { setNumber(1, newValue) }
  }

  private var a: Float {
    @_noLocks @_noAllocation @inline(__always) get { number(2) }
  }

  private var b: Float {
    @_noLocks @_noAllocation @inline(__always) get { number(3) }
  }

  private var c: Float {
    @_noLocks @_noAllocation @inline(__always) get { number(4) }
  }

  private var e: Float {
    @_noLocks @_noAllocation @inline(__always) get { number(5) }
  }

  private var f: Float {
    @_noLocks @_noAllocation @inline(__always) get { number(6) }
  }

  /// This lane's number in the vector with index `vector` of ``SectionStates``.
  @_noLocks @_noAllocation @inline(__always)
  private func number(_ vector: Int) -> Float {
    numbers.load(fromByteOffset: vector &* MemoryLayout<Float4>.stride, as: Float.self)
  }

  @_noLocks @_noAllocation @inline(__always)
  private func setNumber(_ vector: Int, _ value: Float) {
    numbers.storeBytes(
      of: value, toByteOffset: vector &* MemoryLayout<Float4>.stride, as: Float.self)
  }
}
