/// Twelve numbers, for sums that one vector alone would have to wait for.
struct Dozen {
  var a: Float4
  var b: Float4
  var c: Float4

  @_noLocks @_noAllocation @inline(__always)
  init(repeating value: Float) {
    a = Float4(repeating: value)
    b = a
    c = a
  }

  @_noLocks @_noAllocation @inline(__always)
  init(_ a: Float4, _ b: Float4, _ c: Float4) {
    self.a = a
    self.b = b
    self.c = c
  }

  /// Numbers 0…11; for the control side.
  subscript(index: Int) -> Float {
    get { index < 4 ? a[index] : index < 8 ? b[index - 4] : c[index - 8] }
    set {
      if index < 4 {
        a[index] = newValue
      } else if index < 8 {
        b[index - 4] = newValue
      } else {
        c[index - 8] = newValue
      }
    }
  }

  /// The sum of all.
  var sum: Float {
    @_noLocks @_noAllocation @inline(__always) get {
      let lanes = (a + b) + c
      return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  static func + (one: Dozen, other: Dozen) -> Dozen {
    Dozen(one.a + other.a, one.b + other.b, one.c + other.c)
  }

  @_noLocks @_noAllocation @inline(__always)
  static func - (one: Dozen, other: Dozen) -> Dozen {
    Dozen(one.a - other.a, one.b - other.b, one.c - other.c)
  }

  @_noLocks @_noAllocation @inline(__always)
  static func * (one: Dozen, other: Dozen) -> Dozen {
    Dozen(one.a * other.a, one.b * other.b, one.c * other.c)
  }

  @_noLocks @_noAllocation @inline(__always)
  static func * (one: Dozen, factor: Float) -> Dozen {
    Dozen(one.a * factor, one.b * factor, one.c * factor)
  }

  @_noLocks @_noAllocation @inline(__always)
  static func / (one: Dozen, other: Dozen) -> Dozen {
    Dozen(one.a / other.a, one.b / other.b, one.c / other.c)
  }
}
