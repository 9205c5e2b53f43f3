extension WAVReader {
  /// Fills `block` from its first frame and sets its `frameCount`.
  ///
  /// - Parameter block: As many channels as the format has.
  /// - Returns: The number of frames read; less than the block's capacity only at the end.
  @discardableResult
  public func read(into block: AudioBlock) throws(ReadError) -> Int {
    precondition(
      block.channelCount == channelCount, "\(block.channelCount) of \(channelCount) channels")
    block.frameCount = try read(into: block.channels, frameCount: block.capacity)
    return block.frameCount
  }

  /// Reads all frames that are left: one array for each channel.
  ///
  /// Memory grows with the sound that is found. For long files read blocks instead.
  public func readSamples() throws(ReadError) -> [[Float]] {
    let block = AudioBlock(channelCount: format.channelCount, capacity: 4096)
    var samples = [[Float]](repeating: [], count: format.channelCount)
    repeat {
      try read(into: block)
      for channel in samples.indices {
        samples[channel].append(contentsOf: block[channel])
      }
    } while block.frameCount == block.capacity
    return samples
  }
}
