import HearingAudio

/// Delivers samples from memory, for tests.
final class MemoryFrameSource: FrameSource {
  /// The number of frames per second.
  let sampleRate: Double

  /// The index of the next frame, from 0 to the number of frames. A test sets it to read frames
  /// again.
  var position = 0

  private let samples: [[Float]]

  /// Creates a source of `samples`, with one array per channel. There must be at least one array,
  /// and all arrays must have the same length.
  init(_ samples: [[Float]], sampleRate: Double) {
    self.samples = samples
    self.sampleRate = sampleRate
  }

  /// The number of channels.
  var channelCount: Int { samples.count }

  /// The number of remaining frames.
  var remainingFrameCount: Int? { samples[0].count - position }

  /// Copies the next frames. Copies at most `frameCount` frames.
  func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
    let count = min(frameCount, samples[0].count - position)
    for (channel, row) in samples.enumerated() {
      row.withUnsafeBufferPointer { row in
        guard let start = row.baseAddress else { return }
        channels[channel].update(from: start + position, count: count)
      }
    }
    position += count
    return count
  }
}
