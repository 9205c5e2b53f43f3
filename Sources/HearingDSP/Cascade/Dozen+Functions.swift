extension Dozen {
  /// The magnitude of each number.
  var magnitude: Dozen {
    @_noLocks @_noAllocation @inline(__always) get {
      Dozen(a.magnitude, b.magnitude, c.magnitude)
    }
  }

  /// The logarithm to base 2 of each number, which must be positive and normal.
  var binaryLogarithm: Dozen {
    @_noLocks @_noAllocation @inline(__always) get {
      Dozen(a.binaryLogarithm, b.binaryLogarithm, c.binaryLogarithm)
    }
  }

  /// 2 to the power of each number, within −126…126.
  var powerOfTwo: Dozen {
    @_noLocks @_noAllocation @inline(__always) get {
      Dozen(a.powerOfTwo, b.powerOfTwo, c.powerOfTwo)
    }
  }

  /// Each number brought within −`most`…`most`.
  @_noLocks @_noAllocation @inline(__always)
  func held(within most: Float) -> Dozen {
    Dozen(Self.held(a, most), Self.held(b, most), Self.held(c, most))
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func held(_ lanes: Float4, _ most: Float) -> Float4 {
    let held = lanes.replacing(with: most, where: lanes .> most)
    return held.replacing(with: -most, where: held .< -most)
  }
}

extension UnsafeMutablePointer<Float> {
  /// The twelve numbers from `index` on.
  @_noLocks @_noAllocation @inline(__always)
  func dozen(at index: Int) -> Dozen {
    Dozen(float4(at: index), float4(at: index &+ 4), float4(at: index &+ 8))
  }

  /// Writes twelve numbers from `index` on.
  @_noLocks @_noAllocation @inline(__always)
  func setDozen(_ dozen: Dozen, at index: Int) {
    setFloat4(dozen.a, at: index)
    setFloat4(dozen.b, at: index &+ 4)
    setFloat4(dozen.c, at: index &+ 8)
  }
}
