/// Publishes an event if more than half of a block's samples are invalid. Events are at least one
/// second apart.
///
/// Typical causes of invalid samples are integer samples that were not scaled to ±1.0, and
/// uninitialised memory.
struct RejectionReport {
  /// The number of invalid samples since the last reset.
  private(set) var count: UInt64 = 0

  private let events: RenderEventWriter
  /// The minimum number of frames between two events.
  private let interval: Int64
  /// The first frame at which the next event may be published. Frames are counted from the first
  /// rendered frame.
  private var next: Int64 = 0

  init(events: RenderEventWriter, sampleRate: Double) {
    self.events = events
    interval = Int64(sampleRate)
  }

  mutating func reset() {
    count = 0
    next = 0
  }

  /// Publishes an event if more than half of a block's samples are invalid. Call this method at the
  /// end of a block that contains invalid samples. The block begins at frame `position` and has
  /// `sampleCount` samples in all channels together.
  ///
  /// - Parameter total: The number of invalid samples since the last reset.
  @inline(never)
  mutating func endBlock(count total: UInt64, of sampleCount: Int, at position: Int64) {
    let rejected = Int(truncatingIfNeeded: total &- count)
    count = total
    guard 2 &* rejected > sampleCount && position >= next else { return }
    next = position &+ interval
    events.publish(
      RenderEvent(
        .inputRejected, frame: position, value: Double(rejected) / Double(sampleCount)))
  }
}

extension RenderEvent.Kind {
  /// More than half of a block's samples were not finite, or were louder than any real sound. The
  /// invalid samples were replaced by 0. The event's value is the fraction of replaced samples in
  /// the block. Events of this kind are at least one second apart.
  ///
  /// The usual cause of the event is a host that passes integer samples without scaling them to
  /// ±1.0.
  public static let inputRejected: Self = Self(rawValue: 0x301)
}
