extension WAVWriter {
  /// Appends the frames of `block` that hold sound.
  public func write(_ block: AudioBlock) throws(WriteError) {
    precondition(
      block.channelCount == channelCount, "\(block.channelCount) of \(channelCount) channels")
    try write(block.channels, frameCount: block.frameCount)
  }

  /// Appends `samples`: one array for each channel, all of one length.
  public func write(_ samples: [[Float]]) throws(WriteError) {
    try write(AudioBlock(samples))
  }
}
