/// Receives rendered sound: a file, memory, a device.
///
/// ``WAVWriter`` and ``MemoryFrameSink`` conform. The output becomes visible, complete, when
/// ``finish()`` has returned; partial output is never visible.
public protocol FrameSink: AnyObject {
  /// The number of channels, at least 1; constant.
  var channelCount: Int { get }

  /// Appends `frameCount` frames of ``channelCount`` channels.
  func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws

  /// Completes the output; nothing is written after it.
  func finish() throws

  /// Discards the output; nothing is written after it.
  func abandon()
}

extension FrameSink {
  /// Appends the valid frames of `block`.
  public func write(_ block: AudioBlock) throws {
    precondition(
      block.channelCount == channelCount, "\(block.channelCount) of \(channelCount) channels")
    // Unsafe: the block lives during the call, and the frames are within it.
    try unsafe write(block.channels, frameCount: block.frameCount)
  }

  /// Appends `samples`: one array per channel, all of the same length.
  public func write(_ samples: [[Float]]) throws {
    try write(AudioBlock(samples))
  }
}
