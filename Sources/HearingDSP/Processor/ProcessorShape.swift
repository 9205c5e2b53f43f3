/// The counts that determine the size of a processor's memory.
struct ProcessorShape: Sendable, Equatable {
  let channelCount: Int
  let bandCount: Int

  /// Vectors of four sections per channel.
  let vectorsPerChannel: Int

  /// Vectors of four bands per channel.
  var bandVectors: Int {
    @inline(__always) get { (bandCount + 3) / 4 }
  }

  init(channelCount: Int, bandCount: Int) {
    self.channelCount = channelCount
    self.bandCount = bandCount
    vectorsPerChannel = SectionTargets.vectorCount(bandCount: bandCount)
  }

  /// Channels rounded up to pairs.
  var pairedChannelCount: Int {
    @inline(__always) get { (channelCount + 1) / 2 * 2 }
  }
}
