internal import HearingDSP
internal import HearingBuffers

/// The buffers for one block of audio in a call. Each buffer begins at the first frame of the
/// block.
struct CallBlock {
  let microphone: StereoRows
  let uplink: Row<Float>
  /// The buffers of playback, or nil if another thread of the host renders playback.
  let playback: PlaybackBlock?

  /// The buffers for one block of playback. Each buffer begins at the first frame of the block.
  struct PlaybackBlock {
    let farVoice: StereoRows
    let otherAudio: StereoRows
    /// The memory for the samples to play.
    let target: StereoRows
  }

  /// The maximum magnitude of a valid sample: 24 dB above full scale.
  private static let maximumSample: Float = 16
  /// Samples below this magnitude (−400 dB) count as silence.
  private static let silenceFloor: Float = 1e-20

  /// Copies input samples. Samples with a magnitude below `silenceFloor` or above `maximum` become
  /// 0, and NaN becomes 0.
  static func receive(
    _ source: Row<Float>, to target: Row<Float>, count: Int, maximum: Float = maximumSample
  ) {
    SampleOperations.copy(
      source, to: target, count: count, minimum: silenceFloor, maximum: maximum)
  }

  /// Copies output samples.
  static func copy(_ source: Row<Float>, to target: Row<Float>, count: Int) {
    for index in 0..<count { target[index] = source[index] }
  }

  /// Writes the mean of two signals to `target`.
  static func average(_ one: Row<Float>, _ other: Row<Float>, to target: Row<Float>, count: Int) {
    for index in 0..<count { target[index] = 0.5 * (one[index] + other[index]) }
  }
}

/// The samples of the left and the right channel. If there is only one channel, `left` and `right`
/// are the same row.
struct StereoRows: BitwiseCopyable {
  private let left: Row<Float>
  private let right: Row<Float>

  /// Uses `channel` as both the left and the right channel.
  init(_ channel: Row<Float>) { (left, right) = (channel, channel) }

  /// Creates rows of `count` samples that begin at the pointers in `channels`.
  @unsafe init(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int = 2, count: Int
  ) {
    unsafe left = Row(channels[0], count: count)
    unsafe right = Row(channels[channelCount - 1], count: count)
  }

  /// The samples of the left channel (0) or the right channel (1).
  subscript(channel: Int) -> Row<Float> { channel == 0 ? left : right }

  /// Copies `count` samples from index `start`. If there are two channels, this function copies the
  /// mean of the two channels. Invalid samples become 0.
  ///
  /// - Parameter scratch: Memory for `count` samples.
  func receive(from start: Int, to target: Row<Float>, scratch: Row<Float>, count: Int) {
    CallBlock.receive(left.from(start), to: target, count: count)
    guard !right.isSame(as: left) else { return }
    CallBlock.receive(right.from(start), to: scratch, count: count)
    CallBlock.average(target, scratch, to: target, count: count)
  }
}
