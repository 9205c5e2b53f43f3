/// Sound that is in memory, read like a file.
public final class MemoryFrameSource: FrameSource {
  /// Frames a second.
  public let sampleRate: Double

  /// The frame that is read next, 0…the number of frames; set it to read again.
  public var position = 0 {
    willSet {
      precondition(
        (0...block.frameCount).contains(newValue), "frame \(newValue) of \(block.frameCount)")
    }
  }

  private let block: AudioBlock

  /// Makes a source of `samples`: one array for each channel, at least one, all of one length.
  public init(_ samples: [[Float]], sampleRate: Double) {
    precondition(sampleRate > 0, "sample rate \(sampleRate)")
    block = AudioBlock(samples)
    self.sampleRate = sampleRate
  }

  /// The number of channels.
  public var channelCount: Int { block.channelCount }

  /// How many frames are still to come.
  public var remainingFrameCount: Int? { block.frameCount - position }

  /// Copies the next frames, up to `frameCount`.
  public func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) -> Int {
    let count = min(frameCount, block.frameCount - position)
    for channel in 0..<channelCount {
      channels[channel].update(from: block.channels[channel] + position, count: count)
    }
    position += count
    return count
  }
}
