/// Receives rendered sound, for example a file, memory or a device.
///
/// ``WAVWriter`` and ``MemoryFrameSink`` conform. The complete output becomes visible when
/// ``finish()`` returns; partial output is never visible.
public protocol FrameSink: AnyObject {
  /// The number of channels, at least 1; it never changes.
  var channelCount: Int { get }

  /// Appends `frameCount` frames of ``channelCount`` channels.
  func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws

  /// Completes the output. Nothing may be written after this call.
  func finish() throws

  /// Discards the output. Nothing may be written after this call.
  func abandon()
}

extension FrameSink {
  /// Appends the valid frames of `block`.
  public func write(_ block: AudioBlock) throws {
    precondition(
      block.channelCount == channelCount, "\(block.channelCount) of \(channelCount) channels")
    try withExtendedLifetime(block) { try write(block.rows) }
  }

  /// Appends rows of the sink's number of channels.
  package func write(_ rows: ChannelRows) throws {
    // Unsafe: a view of rows that hold all frames.
    try unsafe write(rows.pointers, frameCount: rows.frameCount)
  }

  /// Appends `samples`: one array per channel, all of the same length.
  public func write(_ samples: [[Float]]) throws {
    try write(AudioBlock(samples))
  }
}
