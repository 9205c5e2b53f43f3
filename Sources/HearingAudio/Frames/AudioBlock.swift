/// Planar sample memory of a fixed size: one row of `Float` for each channel.
///
///     let block = AudioBlock(channelCount: 2, capacity: 512)
///     while try reader.read(into: block) > 0 {
///       processor.process(block)
///       try writer.write(block)
///     }
///
/// All memory is allocated, and zeroed, when the block is made. A block is used by one thread at
/// a time. It carries no sample rate: the source that fills it knows that.
public final class AudioBlock {
  /// The number of channels, at least 1.
  public let channelCount: Int

  /// The most frames the block can hold.
  public let capacity: Int

  /// One pointer for each channel, to ``capacity`` samples each.
  ///
  /// The pointers are good for as long as the block lives: keep it in a variable while they are
  /// in use.
  public let channels: UnsafePointer<UnsafeMutablePointer<Float>>

  /// How many frames, from the first, hold sound; 0…``capacity``, at first 0.
  public var frameCount = 0 {
    willSet {
      precondition((0...capacity).contains(newValue), "\(newValue) frames of \(capacity)")
    }
  }

  private let storage: UnsafeMutablePointer<Float>
  private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// Makes a block of silence.
  ///
  /// - Parameters:
  ///   - channelCount: The number of channels, at least 1.
  ///   - capacity: The number of frames, at least 0.
  public init(channelCount: Int, capacity: Int) {
    precondition(channelCount >= 1, "\(channelCount) channels")
    precondition(capacity >= 0, "\(capacity) frames")
    self.channelCount = channelCount
    self.capacity = capacity
    // Rows start on multiples of 64 bytes, so that no two channels share a cache line.
    let stride = max(16, (capacity + 15) & ~15)
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: stride * channelCount * MemoryLayout<Float>.stride, alignment: 64)
    storage = bytes.bindMemory(to: Float.self, capacity: stride * channelCount)
    storage.initialize(repeating: 0, count: stride * channelCount)
    table = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      (table + channel).initialize(to: storage + channel * stride)
    }
    channels = UnsafePointer(table)
  }

  /// Makes a block that holds a copy of `samples`: one array for each channel, all of one length.
  public convenience init(_ samples: [[Float]]) {
    let frameCount = samples.first?.count ?? 0
    self.init(channelCount: samples.count, capacity: frameCount)
    for (channel, row) in samples.enumerated() {
      precondition(
        row.count == frameCount, "channel \(channel): \(row.count) frames of \(frameCount)")
      channels[channel].update(from: row, count: frameCount)
    }
    self.frameCount = frameCount
  }

  deinit {
    table.deallocate()
    storage.deallocate()
  }

  /// The frames that hold sound, of one channel.
  public subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
    precondition((0..<channelCount).contains(channel), "channel \(channel) of \(channelCount)")
    return UnsafeMutableBufferPointer(start: channels[channel], count: frameCount)
  }

  /// A copy of the frames that hold sound: one array for each channel.
  public var samples: [[Float]] {
    (0..<channelCount).map { Array(self[$0]) }
  }
}
