/// What a limiter has done to one channel.
struct LimiterWork {
  /// The gain in force.
  var gain: Float = 1
  /// The smallest gain since the last reset.
  var smallestGain: Float = 1
  /// Samples that came out smaller than they went in, since the last reset.
  var limitedFrames: UInt64 = 0

  /// Nothing done yet.
  @_noLocks @_noAllocation @inline(__always)
  init() {}

  /// Takes in the gains of a run of samples.
  @_noLocks @_noAllocation
  mutating func record(_ gains: UnsafePointer<Float>, count: Int) {
    var index = 0
    while index < count {
      if gains[index] < 1 { limitedFrames &+= 1 }
      if gains[index] < smallestGain { smallestGain = gains[index] }
      index += 1
    }
    if count > 0 { gain = gains[count - 1] }
  }
}
