internal import HearingBuffers
public import HearingDSP

/// A buffer of fixed size for planar samples, with one row of `Float` per channel.
///
///     let block = AudioBlock(channelCount: 2, capacity: 512)
///     while try reader.read(into: block) > 0 {
///       processor.process(block)
///       try writer.write(block)
///     }
///
/// All memory is allocated and zeroed in the initializer. Use a block on one thread at a time. A
/// block does not store a sample rate. The source of the samples determines their sample rate.
@safe  // A block owns its memory; only the returned pointers are unsafe to use.
public final class AudioBlock {
  /// The number of channels, at least 1.
  public let channelCount: Int

  /// The maximum number of frames that the block can hold.
  public let capacity: Int

  /// A list with one pointer per channel. Each pointer refers to ``capacity`` samples.
  ///
  /// The pointers are valid while the block is alive. Retain the block while you use the pointers.
  public let channels: UnsafePointer<UnsafeMutablePointer<Float>>

  /// The number of valid frames, 0…``capacity``. The initial value is 0.
  public var frameCount = 0 {
    willSet {
      precondition((0...capacity).contains(newValue), "\(newValue) frames of \(capacity)")
    }
  }

  private let memory: ChannelTable

  /// Creates a block with zeroed memory. The block has no valid frames yet.
  ///
  /// - Parameters:
  ///   - channelCount: The number of channels, at least 1.
  ///   - capacity: The maximum number of frames, at least 0.
  public init(channelCount: Int, capacity: Int) {
    precondition(channelCount >= 1, "\(channelCount) channels")
    precondition(capacity >= 0, "\(capacity) frames")
    self.channelCount = channelCount
    self.capacity = capacity
    memory = ChannelTable(channelCount: channelCount, capacity: capacity)
    // Unsafe: the pointers are valid while the block owns `memory`.
    unsafe channels = memory.rows(frameCount: capacity).pointers
  }

  /// Creates a block with a copy of `samples`. There must be one array per channel, and all arrays
  /// must have the same length.
  public convenience init(_ samples: [[Float]]) {
    let frameCount = samples.first?.count ?? 0
    self.init(channelCount: samples.count, capacity: frameCount)
    self.frameCount = frameCount
    for (channel, row) in samples.enumerated() {
      precondition(
        row.count == frameCount, "channel \(channel): \(row.count) frames of \(frameCount)")
      rows[channel].copy(row)
    }
  }

  /// The valid frames of one channel.
  public subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
    precondition((0..<channelCount).contains(channel), "channel \(channel) of \(channelCount)")
    // Unsafe: the channel exists and has at least `frameCount` samples.
    return unsafe UnsafeMutableBufferPointer(start: channels[channel], count: frameCount)
  }

  /// A copy of the valid frames. There is one array per channel.
  public var samples: [[Float]] {
    // Unsafe: the samples are copied while the block is alive.
    (0..<channelCount).map { unsafe Array(self[$0]) }
  }

  /// The valid frames.
  package var rows: ChannelRows { memory.rows(frameCount: frameCount) }

  /// Stops the program if the block does not have `channelCount` channels.
  func check(_ channelCount: Int) {
    precondition(
      self.channelCount == channelCount,
      "a block of \(self.channelCount) channels, not \(channelCount)")
  }
}

extension BandGainProcessor {
  /// Processes the valid frames of a block in place. Call this method on the render thread only.
  ///
  /// - Parameter block: A block with the processor's number of channels.
  public func process(_ block: AudioBlock) {
    withExtendedLifetime(block) { process(block.rows) }
  }

  /// Processes the samples of `rows` in place. There must be one row per channel of the processor.
  func process(_ rows: ChannelRows) {
    precondition(
      rows.channelCount == spec.channelCount,
      "\(rows.channelCount) channels for a processor of \(spec.channelCount) channels")
    // Unsafe: the rows hold `frameCount` frames.
    unsafe process(rows.pointers, frameCount: rows.frameCount)
  }
}
