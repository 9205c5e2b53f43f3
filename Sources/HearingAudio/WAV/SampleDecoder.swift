/// Converts stored, interleaved samples to planar `Float`.
///
///     let decoder = SampleDecoder(encoding: .int16, channelCount: 2)
///     decoder.decode(bytes, frameCount: 512, into: block.channels, from: 0)
///
/// Integers are divided by 2^(bits − 1). Nothing is allocated. To read headers use ``WAVReader``.
public struct SampleDecoder: Sendable {
  /// How samples are stored, little-endian.
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
  ///   - bytes: At least `frameCount` frames.
  ///   - frameCount: The number of frames, at least 0.
  ///   - channels: ``channelCount`` pointers.
  ///   - first: The index of the first frame written to `channels`.
  public func decode(
    _ bytes: UnsafeRawBufferPointer, frameCount: Int,
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, from first: Int
  ) {
    precondition(frameCount >= 0, "\(frameCount) frames")
    let step = encoding.byteCount * channelCount
    precondition(
      frameCount * step <= bytes.count, "\(bytes.count) bytes for \(frameCount) frames of \(step)")
    guard let base = bytes.baseAddress else { return }
    for channel in 0..<channelCount {
      unsafe encoding.storage.decode(
        base + channel * encoding.byteCount, step: step, count: frameCount,
        to: channels[channel] + first)
    }
  }
}
