/// A set of channels of a stream that has at most eight.
struct ChannelSet: BitwiseCopyable {
  private var bits: UInt8 = 0

  /// No channel.
  @_noLocks @_noAllocation @inline(__always)
  init() {}

  /// Channels 0..<`count`.
  @_noLocks @_noAllocation @inline(__always)
  init(count: Int) {
    bits = UInt8(truncatingIfNeeded: (1 &<< count) &- 1)
  }

  @_noLocks @_noAllocation @inline(__always)
  func contains(_ channel: Int) -> Bool {
    bits & (1 &<< UInt8(truncatingIfNeeded: channel)) != 0
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func insert(_ channel: Int) {
    bits |= 1 &<< UInt8(truncatingIfNeeded: channel)
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func formIntersection(_ other: ChannelSet) {
    bits &= other.bits
  }

  @_noLocks @_noAllocation @inline(__always)
  mutating func formUnion(_ other: ChannelSet) {
    bits |= other.bits
  }

  var isEmpty: Bool {
    @_noLocks @_noAllocation @inline(__always) get { bits == 0 }
  }
}
