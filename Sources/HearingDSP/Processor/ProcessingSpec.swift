/// The sample rate and the number of channels that a processor is built for.
///
///     let spec = ProcessingSpec(sampleRate: 48_000, channelCount: 2)
///
/// The block size is not part of the specification. The number of frames may differ from block to
/// block.
public struct ProcessingSpec: Sendable, Equatable {
  /// The number of frames per second, in Hz. A processor accepts 8,000…192,000.
  public var sampleRate: Double

  /// The number of channels. A processor accepts 1…8.
  public var channelCount: Int

  /// Describes a stream. The values are checked when a processor is built with this description.
  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}

extension ProcessingSpec {
  /// The sample rates in Hz that a processor accepts.
  public static let supportedSampleRates: ClosedRange<Double> = 8_000...192_000

  /// The numbers of channels that a processor accepts.
  public static let supportedChannelCounts: ClosedRange<Int> = 1...8

  /// The fraction of the sample rate below which band centres must lie.
  static let centerLimitRatio = 0.45

  /// The frequency in Hz below which band centres must lie: 0.45 of the sample rate.
  public var centerLimit: Double { Self.centerLimitRatio * sampleRate }
}
