/// A set of channels of a stream that has at most eight.
struct ChannelSet: BitwiseCopyable {
  private var bits: UInt8 = 0

  /// No channel.
  @inline(__always)
  init() {}

  /// Channels 0..<`count`.
  @inline(__always)
  init(count: Int) {
    bits = UInt8(truncatingIfNeeded: (1 &<< count) &- 1)
  }

  @inline(__always)
  func contains(_ channel: Int) -> Bool {
    bits & (1 &<< UInt8(truncatingIfNeeded: channel)) != 0
  }

  @inline(__always)
  mutating func insert(_ channel: Int) {
    bits |= 1 &<< UInt8(truncatingIfNeeded: channel)
  }

  @inline(__always)
  mutating func formIntersection(_ other: ChannelSet) {
    bits &= other.bits
  }

  @inline(__always)
  mutating func formUnion(_ other: ChannelSet) {
    bits |= other.bits
  }

  var isEmpty: Bool {
    @inline(__always) get { bits == 0 }
  }
}
