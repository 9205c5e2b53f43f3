/// A set of channels of a stream with at most eight channels.
struct ChannelSet: BitwiseCopyable {
  private var bits: UInt8

  /// The channels 0..<`count`.
  init(count: Int = 0) {
    bits = UInt8(truncatingIfNeeded: (1 &<< count) &- 1)
  }

  func contains(_ channel: Int) -> Bool {
    bits & (1 &<< UInt8(truncatingIfNeeded: channel)) != 0
  }

  mutating func insert(_ channel: Int) {
    bits |= 1 &<< UInt8(truncatingIfNeeded: channel)
  }

  mutating func formIntersection(_ other: ChannelSet) {
    bits &= other.bits
  }

  mutating func formUnion(_ other: ChannelSet) {
    bits |= other.bits
  }

  var isEmpty: Bool { bits == 0 }
}
