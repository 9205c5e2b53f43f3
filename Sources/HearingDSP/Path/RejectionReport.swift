/// Reports blocks in which most samples are rejected, at most once a second.
///
/// Such samples are not sound. They are integers that were not scaled to ±1.0, or uninitialised
/// memory.
struct RejectionReport {
  /// Samples rejected since the last reset.
  private(set) var count: UInt64 = 0

  private let events: RenderEventWriter
  /// Frames between two reports.
  private let interval: Int64
  /// The earliest frame of the next report.
  private var next: Int64 = 0

  init(events: RenderEventWriter, sampleRate: Double) {
    self.events = events
    interval = Int64(sampleRate)
  }

  mutating func reset() {
    count = 0
    next = 0
  }

  /// Ends a block that begins at frame `position` and has `sampleCount` samples in all channels.
  ///
  /// - Parameter total: The samples rejected since the last reset.
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
  /// More than half of a block's samples were replaced by silence, because they were not finite or
  /// were louder than any real sound. The value is the fraction of these samples in the block. At
  /// most once a second.
  ///
  /// The usual cause is integer samples that were not scaled to ±1.0.
  public static let inputRejected: Self = Self(rawValue: 0x301)
}
