/// Planar sample memory of a fixed size: one row of `Float` per channel.
///
///     let block = AudioBlock(channelCount: 2, capacity: 512)
///     while try reader.read(into: block) > 0 {
///       processor.process(block)
///       try writer.write(block)
///     }
///
/// All memory is allocated and zeroed in the initializer. Use a block on one thread at a time. A
/// block does not store a sample rate; use the sample rate of the source that delivers its samples.
@safe  // It owns its memory; only pointers that are handed out are unsafe to use.
public final class AudioBlock {
  /// The number of channels, at least 1.
  public let channelCount: Int

  /// The maximum number of frames that the block can hold.
  public let capacity: Int

  /// One pointer per channel, to ``capacity`` samples each.
  ///
  /// They are valid while the block is alive. Keep a reference to the block while the pointers are
  /// in use.
  public let channels: UnsafePointer<UnsafeMutablePointer<Float>>

  /// The number of valid frames, 0…``capacity``; initially 0.
  public var frameCount = 0 {
    willSet {
      precondition((0...capacity).contains(newValue), "\(newValue) frames of \(capacity)")
    }
  }

  private let storage: UnsafeMutablePointer<Float>
  private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// Creates a block of silence.
  ///
  /// - Parameters:
  ///   - channelCount: The number of channels, at least 1.
  ///   - capacity: The number of frames, at least 0.
  public init(channelCount: Int, capacity: Int) {
    precondition(channelCount >= 1, "\(channelCount) channels")
    precondition(capacity >= 0, "\(capacity) frames")
    self.channelCount = channelCount
    self.capacity = capacity
    // Rows are aligned to 64 bytes, so that no two channels share a cache line.
    let stride = max(16, (capacity + 15) & ~15)
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: stride * channelCount * MemoryLayout<Float>.stride, alignment: 64)
    unsafe storage = bytes.bindMemory(to: Float.self, capacity: stride * channelCount)
    unsafe storage.initialize(repeating: 0, count: stride * channelCount)
    unsafe table = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe (table + channel).initialize(to: storage + channel * stride)
    }
    unsafe channels = UnsafePointer(table)
  }

  /// Creates a block with a copy of `samples`: one array per channel, all of the same length.
  public convenience init(_ samples: [[Float]]) {
    let frameCount = samples.first?.count ?? 0
    self.init(channelCount: samples.count, capacity: frameCount)
    for (channel, row) in samples.enumerated() {
      precondition(
        row.count == frameCount, "channel \(channel): \(row.count) frames of \(frameCount)")
      unsafe channels[channel].update(from: row, count: frameCount)
    }
    self.frameCount = frameCount
  }

  deinit {
    unsafe table.deallocate()
    unsafe storage.deallocate()
  }

  /// The valid frames of one channel.
  public subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
    precondition((0..<channelCount).contains(channel), "channel \(channel) of \(channelCount)")
    return unsafe UnsafeMutableBufferPointer(start: channels[channel], count: frameCount)
  }

  /// A copy of the valid frames: one array per channel.
  public var samples: [[Float]] {
    (0..<channelCount).map { unsafe Array(self[$0]) }
  }
}
