/// Which lane has a sample at which step of a skewed run.
///
/// The cascade is skewed across the lanes: lane 3 filters sample i with its one to three sections,
/// while lane 2 filters what lane 3 made of sample i − 1, and so on. Each sample meets every
/// section in the same order as in a plain loop, and the results are bit-identical to it; no
/// latency remains, because lanes that have no sample yet, or no longer, keep their state.
enum LaneSkew {
  /// By how many steps the last lane runs behind the first.
  static var length: Int {
    @_noLocks @_noAllocation @inline(__always) get { 3 }
  }

  /// The lanes that have a sample at `step` of a run's first steps.
  @_noLocks @_noAllocation @inline(__always)
  static func begun(atStep step: Int) -> SIMDMask<SIMD4<Int32>> {
    // In floating point: comparisons of integers become a tree of branches here.
    lanes .<= Float4(repeating: Float(step))
  }

  /// The lanes that still have a sample `step` steps after the run's last sample was taken in.
  @_noLocks @_noAllocation @inline(__always)
  static func unfinished(atStep step: Int) -> SIMDMask<SIMD4<Int32>> {
    lanes .> Float4(repeating: Float(step))
  }

  /// By how many steps each lane runs behind the last one.
  private static var lanes: Float4 {
    @_noLocks @_noAllocation @inline(__always) get { Float4(3, 2, 1, 0) }
  }

  /// What the lanes filter next: a new sample in the last one, in the others what the lane after has
  /// made.
  @_noLocks @_noAllocation @inline(__always)
  static func advanced(_ output: Float4, with sample: Float) -> Float4 {
    Float4(output[1], output[2], output[3], sample)
  }
}
