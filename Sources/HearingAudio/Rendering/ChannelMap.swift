/// Maps each output channel to an input channel.
///
///     ChannelMap.bothEars(of: reader.channelCount)   // mono: [0, 0], stereo: [0, 1]
struct ChannelMap: Sendable, Equatable {
  /// For each output channel, the index of its input channel.
  let inputs: [Int]

  /// Creates a map with at least one output channel and no negative index.
  init(_ inputs: [Int]) {
    precondition(!inputs.isEmpty, "a map without channels")
    precondition(inputs.allSatisfy { $0 >= 0 }, "negative channel in \(inputs)")
    self.inputs = inputs
  }

  /// Maps every channel to itself.
  static func identity(_ channelCount: Int) -> ChannelMap {
    ChannelMap(Array(0..<channelCount))
  }

  /// Maps a mono input to both ears. Maps a stereo input left to left and right to right.
  ///
  /// - Parameter channelCount: The number of channels of the input, at least 1. Channels after the
  ///   second are ignored.
  static func bothEars(of channelCount: Int) -> ChannelMap {
    precondition(channelCount >= 1, "\(channelCount) channels")
    return ChannelMap(channelCount == 1 ? [0, 0] : [0, 1])
  }
}
