/// The numbers that determine the size of a processor's memory.
struct ProcessorShape: Sendable, Equatable {
  let channelCount: Int
  let bandCount: Int

  /// The number of vectors per channel for the filter sections. A vector contains four sections.
  /// The number of vectors is a multiple of ``Cascade/depth``.
  let vectorsPerChannel: Int

  /// The number of vectors per channel for the bands. A vector contains four bands.
  var bandVectors: Int { (bandCount + 3) / 4 }
  /// The number of vectors per channel for the level detectors. A vector contains four detectors.
  /// Each band has one detector, and an additional detector measures sound below the first band.
  var detectorVectors: Int { bandCount / 4 + 1 }

  init(channelCount: Int, bandCount: Int) {
    self.channelCount = channelCount
    self.bandCount = bandCount
    let vectors = SectionTargets.vectorCount(bandCount: bandCount)
    vectorsPerChannel = (vectors + Cascade.depth - 1) / Cascade.depth * Cascade.depth
  }

  /// The number of channels, rounded up to an even number.
  var pairedChannelCount: Int { (channelCount + 1) / 2 * 2 }
}

/// A set of channels, for a stream with at most eight channels.
struct ChannelSet: OptionSet, BitwiseCopyable {
  var rawValue: UInt8 = 0
}

extension ChannelSet {
  /// The set of the channels 0..<`count`.
  init(count: Int) {
    rawValue = UInt8(truncatingIfNeeded: (1 &<< count) &- 1)
  }

  func contains(_ channel: Int) -> Bool {
    rawValue & (1 &<< UInt8(truncatingIfNeeded: channel)) != 0
  }

  mutating func insert(_ channel: Int) {
    rawValue |= 1 &<< UInt8(truncatingIfNeeded: channel)
  }
}
