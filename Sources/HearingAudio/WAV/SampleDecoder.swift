internal import HearingBuffers

/// Converts stored, interleaved samples to planar `Float` samples.
///
///     let decoder = SampleDecoder(encoding: .int16, channelCount: 2)
///     decoder.decode(bytes, frameCount: 512, into: block.channels, from: 0)
///
/// Integer samples of n bits are divided by 2^(n − 1). Decoding does not allocate memory. To read a
/// WAV file with its header, use ``WAVReader``.
public struct SampleDecoder: Sendable {
  /// The format of a stored sample. Bytes are in little-endian order.
  public let encoding: SampleEncoding

  /// The number of channels, at least 1.
  public let channelCount: Int

  /// Creates a decoder for one format.
  public init(encoding: SampleEncoding, channelCount: Int) {
    precondition(channelCount >= 1, "\(channelCount) channels")
    self.encoding = encoding
    self.channelCount = channelCount
  }

  /// Decodes frames.
  ///
  /// - Parameters:
  ///   - bytes: The stored samples of at least `frameCount` frames.
  ///   - frameCount: The number of frames, at least 0.
  ///   - channels: One pointer per channel.
  ///   - first: The index of the first frame written to `channels`.
  public func decode(
    _ bytes: UnsafeRawBufferPointer, frameCount: Int,
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, from first: Int
  ) {
    encoding.check(bytes.count, frameCount: frameCount, channelCount: channelCount)
    guard frameCount > 0 else { return }
    // Unsafe: the caller guarantees that the bytes exist and that the rows have enough space.
    let bytes = unsafe Row(reading: bytes) ?? .empty
    let rows = unsafe ChannelRows(
      pointers: channels, channelCount: channelCount, frameCount: first + frameCount)
    let width = encoding.byteCount
    for channel in 0..<channelCount {
      encoding.decode(
        bytes.from(channel * width), step: width * channelCount, count: frameCount,
        to: rows[channel].from(first))
    }
  }
}
