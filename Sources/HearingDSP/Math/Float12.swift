internal import HearingBuffers

/// Twelve numbers in three vectors of four numbers. The CPU can process the three vectors in
/// parallel.
struct Float12 {
  var a: Float4
  var b: Float4
  var c: Float4

  @inline(__always)
  init(repeating value: Float) {
    a = Float4(repeating: value)
    b = a
    c = a
  }

  @inline(__always)
  init(_ a: Float4, _ b: Float4, _ c: Float4) {
    self.a = a
    self.b = b
    self.c = c
  }

  /// The number at `index`, 0…11. Access by index is slow.
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

  /// The sum of all numbers.
  var sum: Float {
    @inline(__always) get {
      let lanes = (a + b) + c
      return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    }
  }

  @inline(__always)
  static func + (one: Float12, other: Float12) -> Float12 {
    Float12(one.a + other.a, one.b + other.b, one.c + other.c)
  }

  @inline(__always)
  static func - (one: Float12, other: Float12) -> Float12 {
    Float12(one.a - other.a, one.b - other.b, one.c - other.c)
  }

  @inline(__always)
  static func * (one: Float12, other: Float12) -> Float12 {
    Float12(one.a * other.a, one.b * other.b, one.c * other.c)
  }

  @inline(__always)
  static func * (one: Float12, factor: Float) -> Float12 {
    Float12(one.a * factor, one.b * factor, one.c * factor)
  }

  @inline(__always)
  static func / (one: Float12, other: Float12) -> Float12 {
    Float12(one.a / other.a, one.b / other.b, one.c / other.c)
  }
}

extension Float12 {
  /// The magnitude of each number.
  var magnitude: Float12 {
    @inline(__always) get {
      Float12(a.magnitude, b.magnitude, c.magnitude)
    }
  }

  /// The logarithm to base 2 of each number. The numbers must be positive and normal.
  var binaryLogarithm: Float12 {
    @inline(__always) get {
      Float12(a.binaryLogarithm, b.binaryLogarithm, c.binaryLogarithm)
    }
  }

  /// The power 2ˣ for each number x in −126…126.
  var powerOfTwo: Float12 {
    @inline(__always) get {
      Float12(a.powerOfTwo, b.powerOfTwo, c.powerOfTwo)
    }
  }

  /// Each number clamped to −`limit`…`limit`.
  @inline(__always)
  func clamped(to limit: Float) -> Float12 {
    let (low, high) = (Float4(repeating: -limit), Float4(repeating: limit))
    return Float12(
      a.smaller(high).larger(low), b.smaller(high).larger(low), c.smaller(high).larger(low))
  }
}

extension Row<Float> {
  /// The twelve numbers that begin at `index`.
  @inline(__always)
  func float12(at index: Int) -> Float12 {
    Float12(float4(at: index), float4(at: index &+ 4), float4(at: index &+ 8))
  }

  /// Writes twelve numbers, beginning at `index`.
  @inline(__always)
  func setFloat12(_ value: Float12, at index: Int) {
    setFloat4(value.a, at: index)
    setFloat4(value.b, at: index &+ 4)
    setFloat4(value.c, at: index &+ 8)
  }
}
