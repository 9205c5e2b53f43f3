extension ComplexTransform {
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
    (real.lanes(at: index), imaginary.lanes(at: index))
  }

  @_noLocks @_noAllocation @inline(__always)
  static func write(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, _ index: Int,
    _ numbers: Numbers
  ) {
    real.setLanes(numbers.real, at: index)
    imaginary.setLanes(numbers.imaginary, at: index)
  }

  /// Writes the first lanes of all four, then the second ones, and so on.
  @_noLocks @_noAllocation @inline(__always)
  static func writeAcross(
    _ target: UnsafeMutablePointer<Float>, _ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes
  ) {
    target.setLanes(Lanes(a[0], b[0], c[0], d[0]), at: 0)
    target.setLanes(Lanes(a[1], b[1], c[1], d[1]), at: 4)
    target.setLanes(Lanes(a[2], b[2], c[2], d[2]), at: 8)
    target.setLanes(Lanes(a[3], b[3], c[3], d[3]), at: 12)
  }
}
