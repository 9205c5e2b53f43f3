/// Delivers samples from memory.
public final class MemoryFrameSource: FrameSource {
  /// Frames per second.
  public let sampleRate: Double

  /// The index of the next frame, from 0 to the number of frames. Set it to read frames again.
  public var position = 0 {
    willSet {
      precondition(
        (0...block.frameCount).contains(newValue), "frame \(newValue) of \(block.frameCount)")
    }
  }

  private let block: AudioBlock

  /// Creates a source of `samples`, with one array per channel. There must be at least one array,
  /// and all arrays must have the same length.
  public init(_ samples: [[Float]], sampleRate: Double) {
    precondition(sampleRate > 0, "sample rate \(sampleRate)")
    block = AudioBlock(samples)
    self.sampleRate = sampleRate
  }

  /// The number of channels.
  public var channelCount: Int { block.channelCount }

  /// The number of remaining frames.
  public var remainingFrameCount: Int? { block.frameCount - position }

  /// Copies the next frames, at most `frameCount`.
  public func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) -> Int {
    let count = min(frameCount, block.frameCount - position)
    // Unsafe: the caller guarantees that each row holds `frameCount` frames.
    unsafe ChannelRows(channels, channelCount: channelCount, frameCount: frameCount)
      .copy(block.rows, from: position, count: count)
    position += count
    return count
  }
}
