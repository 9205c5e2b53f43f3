/// A destination for rendered samples, for example a file, memory or a device.
///
/// ``WAVWriter`` conforms to this protocol. The output is complete after ``finish()`` has returned.
/// A file appears at its path only when ``finish()`` is called, so no other process sees a partial
/// file.
public protocol FrameSink: AnyObject {
  /// The type of the errors of ``write(_:frameCount:)``.
  associatedtype Failure: Error

  /// The number of channels, at least 1. The number never changes.
  var channelCount: Int { get }

  /// Appends `frameCount` frames of ``channelCount`` channels.
  func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure)

  /// Completes the output. Nothing may be written after this call.
  func finish() throws

  /// Discards the output. Nothing may be written after this call.
  func abandon()
}

extension FrameSink {
  /// Appends the valid frames of `block`.
  public func write(_ block: AudioBlock) throws(Failure) {
    block.check(channelCount)
    // Unsafe: each row of the block has `frameCount` frames.
    try withExtendedLifetime(block) { () throws(Failure) in
      try unsafe write(block.channels, frameCount: block.frameCount)
    }
  }

  /// Appends `samples`: one array per channel, all of the same length.
  public func write(_ samples: [[Float]]) throws(Failure) {
    try write(AudioBlock(samples))
  }
}
