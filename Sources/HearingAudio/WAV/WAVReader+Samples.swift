extension WAVReader {
  /// Reads all frames that are left: one array for each channel.
  ///
  /// Memory grows with the sound that is found. For long files read blocks instead.
  public func readSamples() throws(ReadError) -> [[Float]] {
    let block = AudioBlock(channelCount: format.channelCount, capacity: 4096)
    var samples = [[Float]](repeating: [], count: format.channelCount)
    repeat {
      block.frameCount = try read(into: block.channels, frameCount: block.capacity)
      for channel in samples.indices {
        samples[channel].append(contentsOf: block[channel])
      }
    } while block.frameCount == block.capacity
    return samples
  }
}
