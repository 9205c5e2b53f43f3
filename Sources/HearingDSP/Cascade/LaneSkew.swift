/// Which lane has a sample at which step of a skewed run.
///
/// The cascade is skewed across the lanes: lane 0 filters sample i with its one to three sections,
/// while lane 1 filters what lane 0 made of sample i − 1, and so on. Each sample meets every
/// section in the same order as in a plain loop, and the results are bit-identical to it; no
/// latency remains, because lanes that have no sample yet, or no longer, keep their state.
enum LaneSkew {
  /// By how many steps the last lane runs behind the first.
  static var length: Int {
    @_noLocks @_noAllocation @inline(__always) get { 3 }
  }

  /// The lanes that have a sample at `step` of a run of `count` samples.
  @_noLocks @_noAllocation @inline(__always)
  static func lanes(atStep step: Int, of count: Int) -> SIMDMask<SIMD4<Int32>> {
    // In floating point: comparisons of integers become a tree of branches here.
    let lane = Lanes(0, 1, 2, 3)
    let begun = lane .<= Lanes(repeating: Float(step))
    let unfinished = lane .> Lanes(repeating: Float(step - count))
    return begun .& unfinished
  }

  /// What the lanes filter next: a new sample first, then what the lane before has made.
  ///
  /// In halves of 64 bits: taken lane by lane, the optimiser would tear the vectors apart.
  @_noLocks @_noAllocation @inline(__always)
  static func advanced(_ output: Lanes, with sample: Float) -> Lanes {
    let halves = unsafeBitCast(output, to: SIMD2<UInt64>.self)
    let entering = SIMD2(UInt64(sample.bitPattern) &<< 32, halves[0]) &>> 32
    return unsafeBitCast((halves &<< 32) | entering, to: Lanes.self)
  }

  /// What the last lane has made.
  @_noLocks @_noAllocation @inline(__always)
  static func last(_ output: Lanes) -> Float {
    let halves = unsafeBitCast(output, to: SIMD2<UInt64>.self)
    return Float(bitPattern: UInt32(truncatingIfNeeded: halves[1] &>> 32))
  }
}
