extension ComplexTransform {
  typealias Lanes = SIMD4<Float>

  /// Four complex numbers.
  typealias Numbers = (real: Lanes, imaginary: Lanes)

  /// The transform of length 4 of each lane.
  @_noLocks @_noAllocation @inline(__always)
  static func butterfly(
    _ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers
  ) -> (Numbers, Numbers, Numbers, Numbers) {
    let sum: Numbers = (a.real + c.real, a.imaginary + c.imaginary)
    let difference: Numbers = (a.real - c.real, a.imaginary - c.imaginary)
    let otherSum: Numbers = (b.real + d.real, b.imaginary + d.imaginary)
    let otherDifference: Numbers = (b.real - d.real, b.imaginary - d.imaginary)
    return (
      (sum.real + otherSum.real, sum.imaginary + otherSum.imaginary),
      (
        difference.real + otherDifference.imaginary,
        difference.imaginary - otherDifference.real
      ),
      (sum.real - otherSum.real, sum.imaginary - otherSum.imaginary),
      (
        difference.real - otherDifference.imaginary,
        difference.imaginary + otherDifference.real
      )
    )
  }

  @_noLocks @_noAllocation @inline(__always)
  static func product(_ number: Numbers, _ real: Lanes, _ imaginary: Lanes) -> Numbers {
    (
      number.real * real - number.imaginary * imaginary,
      number.real * imaginary + number.imaginary * real
    )
  }

  @_noLocks @_noAllocation @inline(__always)
  static func read(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, _ index: Int
  ) -> Numbers {
    (real.four(index), imaginary.four(index))
  }

  @_noLocks @_noAllocation @inline(__always)
  static func write(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, _ index: Int,
    _ numbers: Numbers
  ) {
    real.setFour(index, numbers.real)
    imaginary.setFour(index, numbers.imaginary)
  }

  /// Writes the first lanes of all four, then the second ones, and so on.
  @_noLocks @_noAllocation @inline(__always)
  static func writeAcross(
    _ target: UnsafeMutablePointer<Float>, _ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes
  ) {
    target.setFour(0, Lanes(a[0], b[0], c[0], d[0]))
    target.setFour(4, Lanes(a[1], b[1], c[1], d[1]))
    target.setFour(8, Lanes(a[2], b[2], c[2], d[2]))
    target.setFour(12, Lanes(a[3], b[3], c[3], d[3]))
  }
}
