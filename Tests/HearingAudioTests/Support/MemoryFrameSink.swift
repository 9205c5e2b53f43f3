import HearingAudio

/// Collects samples in memory, for tests.
final class MemoryFrameSink: FrameSink {
  /// The number of channels.
  let channelCount: Int

  /// The samples received so far, one array per channel. The arrays are empty after ``abandon()``.
  private(set) var samples: [[Float]]

  /// Whether ``finish()`` was called.
  private(set) var isFinished = false

  /// Creates an empty sink. The number of channels must be at least 1.
  init(channelCount: Int) {
    precondition(channelCount >= 1, "\(channelCount) channels")
    self.channelCount = channelCount
    samples = Array(repeating: [], count: channelCount)
  }

  /// Appends a copy of the frames.
  func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    for channel in 0..<channelCount {
      samples[channel].append(
        contentsOf: UnsafeBufferPointer(start: channels[channel], count: frameCount))
    }
  }

  /// Marks the output as complete.
  func finish() {
    isFinished = true
  }

  /// Discards the samples.
  func abandon() {
    samples = Array(repeating: [], count: channelCount)
  }
}
