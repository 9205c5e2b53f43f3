/// A destination for rendered samples, for example a file, memory or a device.
///
/// ``WAVWriter`` conforms to this protocol. The output is complete after ``finish()`` has returned.
/// If the output is a file, the file appears at its path only when ``finish()`` is called.
/// Therefore no other process can open a partial file.
public protocol FrameSink: AnyObject {
  /// The type of the errors that ``write(_:frameCount:)`` throws.
  associatedtype Failure: Error

  /// The number of channels, at least 1. This number is constant.
  var channelCount: Int { get }

  /// Appends `frameCount` frames of ``channelCount`` channels.
  func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure)

  /// Completes the output. Do not call `write` after this call.
  func finish() throws

  /// Discards the output. Do not call `write` after this call.
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

  /// Appends `samples`. There must be one array per channel, and all arrays must have the same
  /// length.
  public func write(_ samples: [[Float]]) throws(Failure) {
    try write(AudioBlock(samples))
  }
}
