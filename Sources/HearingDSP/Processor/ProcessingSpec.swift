/// The sample rate and the number of channels for which a processor is built.
///
///     let spec = ProcessingSpec(sampleRate: 48_000, channelCount: 2)
///
/// The block size is not part of the specification, because the size may differ from block to
/// block.
public struct ProcessingSpec: Sendable, Equatable {
  /// The sample rate in Hz, which is the number of frames per second. A processor accepts
  /// 8,000…192,000.
  public var sampleRate: Double

  /// The number of channels. A processor accepts 1…8.
  public var channelCount: Int

  /// Creates a specification. The initializer of ``BandGainProcessor`` checks the sample rate and
  /// the number of channels.
  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}

extension ProcessingSpec {
  /// The range of sample rates in Hz that a processor accepts.
  public static let supportedSampleRates: ClosedRange<Double> = 8_000...192_000

  /// The numbers of channels that a processor accepts.
  public static let supportedChannelCounts: ClosedRange<Int> = 1...8

  /// Every band centre in Hz must be below the product of this factor and the sample rate.
  static let centerLimitRatio = 0.45

  /// The limit for band centres in Hz: 0.45 times the sample rate. Every band centre must be below
  /// the limit.
  public var centerLimit: Double { Self.centerLimitRatio * sampleRate }
}
