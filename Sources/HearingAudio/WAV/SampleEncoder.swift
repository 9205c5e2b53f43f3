internal import HearingBuffers

/// Converts planar `Float` samples to stored, interleaved samples, and counts clipped samples.
///
///     var encoder = SampleEncoder(encoding: .int16, channelCount: 2)
///     encoder.encode(block.channels, from: 0, frameCount: 512, into: bytes)
///
/// For an integer encoding of n bits, samples are multiplied by 2^(n − 1) and rounded to the
/// nearest integer (ties to even). Integers outside the range of the encoding are clipped, and NaN
/// becomes 0. For a floating-point encoding, samples are not rounded and not clipped. Encoding does
/// not allocate memory.
public struct SampleEncoder: Sendable {
  /// The format of a stored sample. Bytes are in little-endian order.
  public let encoding: SampleEncoding

  /// The number of channels, at least 1.
  public let channelCount: Int

  /// The factor by which every sample is multiplied.
  public let gain: Float

  /// The number of samples clipped so far.
  public private(set) var clippedSampleCount = 0

  /// Creates an encoder for one format. Every sample is multiplied by `gain`.
  public init(encoding: SampleEncoding, channelCount: Int, gain: Float = 1) {
    precondition(channelCount >= 1, "\(channelCount) channels")
    self.encoding = encoding
    self.channelCount = channelCount
    self.gain = gain
  }

  /// Encodes frames.
  ///
  /// - Parameters:
  ///   - channels: One pointer per channel.
  ///   - first: The index of the first frame read from `channels`.
  ///   - frameCount: The number of frames, at least 0.
  ///   - bytes: The memory to which the samples are written. The memory must have space for at
  ///     least `frameCount` frames.
  public mutating func encode(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from first: Int, frameCount: Int,
    into bytes: UnsafeMutableRawBufferPointer
  ) {
    encoding.check(bytes.count, frameCount: frameCount, channelCount: channelCount)
    guard frameCount > 0 else { return }
    // Unsafe: the caller guarantees that the rows contain the frames and that the bytes exist.
    let bytes = unsafe Row(reading: UnsafeRawBufferPointer(bytes)) ?? .empty
    let rows = unsafe ChannelRows(
      pointers: channels, channelCount: channelCount, frameCount: first + frameCount)
    let width = encoding.byteCount
    for channel in 0..<channelCount {
      clippedSampleCount += encoding.encode(
        rows[channel].from(first), gain: gain, count: frameCount, to: bytes.from(channel * width),
        step: width * channelCount)
    }
  }
}
