internal import HearingBuffers

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
@safe  // It owns its memory; only the pointers that it returns are unsafe to use.
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

  private let memory: BlockMemory

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
    memory = BlockMemory(channelCount: channelCount, capacity: capacity)
    unsafe channels = memory.rows.pointers
  }

  /// Creates a block with a copy of `samples`: one array per channel, all of the same length.
  public convenience init(_ samples: [[Float]]) {
    let frameCount = samples.first?.count ?? 0
    self.init(channelCount: samples.count, capacity: frameCount)
    for (channel, row) in samples.enumerated() {
      precondition(
        row.count == frameCount, "channel \(channel): \(row.count) frames of \(frameCount)")
      memory.rows[channel].copy(row)
    }
    self.frameCount = frameCount
  }

  /// The valid frames of one channel.
  public subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
    precondition((0..<channelCount).contains(channel), "channel \(channel) of \(channelCount)")
    return unsafe UnsafeMutableBufferPointer(start: channels[channel], count: frameCount)
  }

  /// A copy of the valid frames: one array per channel.
  public var samples: [[Float]] {
    (0..<channelCount).map { channel in
      let row = memory.rows[channel]
      return (0..<frameCount).map { row[$0] }
    }
  }

  /// The valid frames.
  package var rows: ChannelRows { memory.rows(frameCount: frameCount) }

  /// All frames, valid or not.
  package var allRows: ChannelRows { memory.rows }
}

/// The samples of a block and the table that points to them.
struct BlockMemory: ~Copyable {
  private let samples: OwnedRow<Float>
  private let table: ChannelTable
  private let capacity: Int

  /// Silence for `channelCount` channels of `capacity` frames.
  init(channelCount: Int, capacity: Int) {
    // Rows are aligned to 64 bytes, so that no load of a vector crosses cache lines.
    let stride = max(16, (capacity + 15) & ~15)
    samples = .filled(0, count: stride * channelCount + 15)
    let first = unsafe -(Int(bitPattern: samples.row.pointer) / MemoryLayout<Float>.stride) & 15
    table = ChannelTable(channelCount: channelCount)
    self.capacity = capacity
    for channel in 0..<channelCount { table.set(channel, samples.from(first + channel * stride)) }
  }

  /// All frames.
  var rows: ChannelRows { table.rows(frameCount: capacity) }

  /// The first `frameCount` frames.
  func rows(frameCount: Int) -> ChannelRows { table.rows(frameCount: frameCount) }
}
