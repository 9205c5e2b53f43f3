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
  private static func held(_ lanes: Lanes, _ most: Float) -> Lanes {
    let held = lanes.replacing(with: most, where: lanes .> most)
    return held.replacing(with: -most, where: held .< -most)
  }
}

extension UnsafeMutablePointer<Float> {
  /// The twelve numbers from `index` on.
  @_noLocks @_noAllocation @inline(__always)
  func dozen(at index: Int) -> Dozen {
    Dozen(lanes(at: index), lanes(at: index &+ 4), lanes(at: index &+ 8))
  }

  /// Writes twelve numbers from `index` on.
  @_noLocks @_noAllocation @inline(__always)
  func setDozen(_ dozen: Dozen, at index: Int) {
    setLanes(dozen.a, at: index)
    setLanes(dozen.b, at: index &+ 4)
    setLanes(dozen.c, at: index &+ 8)
  }
}
