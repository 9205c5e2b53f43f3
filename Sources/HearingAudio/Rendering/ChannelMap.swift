/// Which input channel each output channel hears.
///
///     ChannelMap.bothEars(of: reader.channelCount)   // mono: [0, 0], stereo: [0, 1]
public struct ChannelMap: Sendable, Equatable {
  /// For each output channel the index of the input channel it hears.
  public let inputs: [Int]

  /// Makes a map; at least one output channel, no negative index.
  public init(_ inputs: [Int]) {
    precondition(!inputs.isEmpty, "a map without channels")
    precondition(inputs.allSatisfy { $0 >= 0 }, "negative channel in \(inputs)")
    self.inputs = inputs
  }

  /// Every channel to itself.
  public static func identity(_ channelCount: Int) -> ChannelMap {
    ChannelMap(Array(0..<channelCount))
  }

  /// Two ears for a listener: mono is heard by both, left stays left and right stays right.
  ///
  /// - Parameter channelCount: The channels of the input, at least 1; those after the second are
  ///   not heard.
  public static func bothEars(of channelCount: Int) -> ChannelMap {
    precondition(channelCount >= 1, "\(channelCount) channels")
    return ChannelMap(channelCount == 1 ? [0, 0] : [0, 1])
  }
}
