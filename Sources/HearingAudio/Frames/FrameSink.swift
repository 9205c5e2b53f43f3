/// Where rendered sound goes: a file, memory, a device.
///
/// ``WAVWriter`` and ``MemoryFrameSink`` are two. What was written counts only once ``finish()``
/// has returned; until then, and after ``abandon()``, nobody must see a part of it.
public protocol FrameSink: AnyObject {
  /// The number of channels, at least 1; the same for the whole life of the sink.
  var channelCount: Int { get }

  /// Appends `frameCount` frames of ``channelCount`` channels.
  func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws

  /// Completes the output; nothing is written after it.
  func finish() throws

  /// Gives the output up and removes what was written so far; nothing is written after it.
  func abandon()
}

extension FrameSink {
  /// Appends the frames of `block` that hold sound.
  public func write(_ block: AudioBlock) throws {
    precondition(
      block.channelCount == channelCount, "\(block.channelCount) of \(channelCount) channels")
    try write(block.channels, frameCount: block.frameCount)
  }

  /// Appends `samples`: one array for each channel, all of one length.
  public func write(_ samples: [[Float]]) throws {
    try write(AudioBlock(samples))
  }
}
