/// Memory for a block of samples. Each channel has guard samples before and after its samples.
final class SampleBlock {
  let channelCount: Int
  let capacity: Int
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let storage: UnsafeMutablePointer<Float>

  private static let guardCount = 8
  private static let guardValue: Float = 12_345.678

  /// - Parameter offset: The offset in samples of the first channel from an aligned address. The
  ///   offset of each further channel is one sample larger.
  init(channelCount: Int, capacity: Int, offset: Int = 0) {
    self.channelCount = channelCount
    self.capacity = capacity
    let row = capacity + 2 * Self.guardCount + 4
    storage = .allocate(capacity: channelCount * row)
    storage.initialize(repeating: 0, count: channelCount * row)
    channels = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      let start = channel * row + Self.guardCount + (offset + channel) % 4
      (channels + channel).initialize(to: storage + start)
    }
  }

  deinit {
    channels.deallocate()
    storage.deallocate()
  }

  /// Read-only pointers to the channels.
  var rows: [UnsafePointer<Float>] {
    (0..<channelCount).map { UnsafePointer(channels[$0]) }
  }

  func setGuards(frameCount: Int) {
    for channel in 0..<channelCount {
      for index in 0..<Self.guardCount {
        channels[channel][frameCount + index] = Self.guardValue
        channels[channel][-1 - index] = Self.guardValue
      }
    }
  }

  func addGuards(to digest: inout Digest, frameCount: Int) {
    for channel in 0..<channelCount {
      digest.add(channels[channel] + frameCount, count: Self.guardCount)
      digest.add(channels[channel] - Self.guardCount, count: Self.guardCount)
    }
  }
}
