/// Numbers for stretches of time between two changes of a setting, so that what is told of one is
/// not taken for another.
struct VoicePeriods: Equatable {
  /// Counts mutes and unmutes.
  var mute: UInt32 = 0
  /// Counts how often detection was switched.
  var detection: UInt32 = 0

  private static var mask: UInt32 {
    @_noLocks @_noAllocation @inline(__always) get { 0xFF_FFFF }
  }

  /// The first of each.
  @_noLocks @_noAllocation
  init() {}

  /// The periods in the upper bits of `word`.
  @_noLocks @_noAllocation
  init(word: UInt64) {
    mute = UInt32(truncatingIfNeeded: word >> 8) & Self.mask
    detection = UInt32(truncatingIfNeeded: word >> 32) & Self.mask
  }

  /// The periods in a word whose lowest eight bits are free.
  var word: UInt64 {
    @_noLocks @_noAllocation get { UInt64(mute) << 8 | UInt64(detection) << 32 }
  }

  /// Begins another mute, or the time after one.
  mutating func turnMute() { mute = (mute + 1) & Self.mask }

  /// Begins another spell of detection, or the time after one.
  mutating func turnDetection() { detection = (detection + 1) & Self.mask }
}
