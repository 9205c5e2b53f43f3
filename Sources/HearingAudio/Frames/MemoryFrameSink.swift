/// Collects samples in memory, for short renderings and tests.
public final class MemoryFrameSink: FrameSink {
  /// The number of channels.
  public let channelCount: Int

  /// The samples received so far, one array per channel. The arrays are empty after ``abandon()``.
  public private(set) var samples: [[Float]]

  /// Whether ``finish()`` was called.
  public private(set) var isFinished = false

  /// Creates an empty sink of `channelCount` channels, at least 1.
  public init(channelCount: Int) {
    precondition(channelCount >= 1, "\(channelCount) channels")
    self.channelCount = channelCount
    samples = Array(repeating: [], count: channelCount)
  }

  /// Appends a copy of the frames.
  public func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    for channel in 0..<channelCount {
      // Unsafe: the caller guarantees that each row holds `frameCount` frames.
      unsafe samples[channel].append(
        contentsOf: UnsafeBufferPointer(start: channels[channel], count: frameCount))
    }
  }

  /// Marks the output as complete.
  public func finish() {
    isFinished = true
  }

  /// Discards the samples.
  public func abandon() {
    samples = Array(repeating: [], count: channelCount)
  }
}
