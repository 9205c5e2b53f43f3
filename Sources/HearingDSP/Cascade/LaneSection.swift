/// One of four sections in ``LaneSections``, number by number.
///
/// It finds the numbers by where vectors lie in memory: a lane taken out of a vector by its subscript
/// would cost more than the filter.
struct LaneSection {
  private let numbers: UnsafeMutablePointer<Float>

  @_noLocks @_noAllocation @inline(__always)
  init(_ sections: UnsafeMutablePointer<LaneSections>, lane: Int) {
    numbers = UnsafeMutableRawPointer(sections).assumingMemoryBound(to: Float.self) + lane
  }

  var s1: Float {
    @_noLocks @_noAllocation @inline(__always) get { numbers[0] }
    @_noLocks @_noAllocation @inline(__always) nonmutating set { numbers[0] = newValue }
  }

  var s2: Float {
    @_noLocks @_noAllocation @inline(__always) get { numbers[4] }
    @_noLocks @_noAllocation @inline(__always) nonmutating set { numbers[4] = newValue }
  }

  var a: Float {
    @_noLocks @_noAllocation @inline(__always) get { numbers[8] }
  }

  var c: Float {
    @_noLocks @_noAllocation @inline(__always) get { numbers[12] }
  }

  var e: Float {
    @_noLocks @_noAllocation @inline(__always) get { numbers[16] }
  }

  var f: Float {
    @_noLocks @_noAllocation @inline(__always) get { numbers[20] }
  }
}
