/// The format of a WAV file: the sample rate, the channels and the encoding.
///
///     let format = WAVFormat(sampleRate: 48_000, channelCount: 2, encoding: .int24)
public struct WAVFormat: Sendable, Equatable {
  /// The maximum number of channels that can be read or written.
  public static let channelCountLimit = 1024

  /// The sample rate in Hz, 1…2³² − 1. The sample rate is the number of frames per second.
  public let sampleRate: Int

  /// The number of channels, 1…``channelCountLimit``.
  public let channelCount: Int

  /// The format in which samples are stored.
  public let encoding: SampleEncoding

  /// The loudspeaker positions of the channels, as the bits of the field `dwChannelMask` in a WAV
  /// file. If the mask is 0, the positions are not specified.
  ///
  /// Bit 0 is front left, bit 1 is front right, and bit 2 is front centre. The channels are in the
  /// order of their bits in the mask.
  public let channelMask: UInt32

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in Hz, 1…2³² − 1.
  ///   - channelCount: The number of channels, 1…``channelCountLimit``.
  ///   - encoding: The format in which samples are stored.
  ///   - channelMask: The loudspeaker positions. If `channelMask` is nil, the number of channels
  ///     determines the positions: mono for 1 channel, stereo for 2, quadraphonic for 4, 5.1 for 6,
  ///     and 7.1 for 8. If `channelMask` is nil and there is another number of channels, the
  ///     positions are not specified.
  public init(
    sampleRate: Int, channelCount: Int, encoding: SampleEncoding, channelMask: UInt32? = nil
  ) {
    precondition((1...Int(clamping: UInt32.max)).contains(sampleRate), "sample rate \(sampleRate)")
    precondition(
      (1...Self.channelCountLimit).contains(channelCount), "\(channelCount) channels")
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.encoding = encoding
    self.channelMask = channelMask ?? Self.usualChannelMasks[channelCount] ?? 0
  }

  /// The number of bytes in one frame.
  var bytesPerFrame: Int { channelCount * encoding.byteCount }

  static let usualChannelMasks: [Int: UInt32] = [
    1: 0x4, 2: 0x3, 4: 0x33, 6: 0x3F, 8: 0x63F,
  ]
}
