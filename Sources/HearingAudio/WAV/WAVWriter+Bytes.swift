extension WAVWriter {
  /// A whole WAV file in memory.
  ///
  /// - Parameters:
  ///   - samples: One array for each channel of `format`, all of one length.
  ///   - format: What the sound is and how to store it.
  ///   - gain: A finite factor for every sample.
  public static func bytes(
    of samples: [[Float]], format: WAVFormat, gain: Float = 1
  ) throws(WriteError) -> [UInt8] {
    precondition(
      samples.count == format.channelCount, "\(samples.count) of \(format.channelCount) channels")
    let sink = MemoryByteSink()
    let writer = WAVWriter(sink: sink, format: format, gain: gain)
    try writer.write(samples)
    try writer.finish()
    return sink.bytes
  }
}
