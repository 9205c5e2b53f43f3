/// A source of audio frames, for example a file, memory or a generator.
///
/// ``WAVReader`` conforms to this protocol. The app's own types can also conform to the protocol,
/// for example a decoder or a synthesizer.
///
///     final class Noise: FrameSource {
///       let sampleRate = 48_000.0
///       let channelCount = 1
///       var remainingFrameCount: Int? { nil }
///       func read(
///         into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
///       ) -> Int {
///         for frame in 0..<frameCount { channels[0][frame] = .random(in: -0.1...0.1) }
///         return frameCount
///       }
///     }
public protocol FrameSource: AnyObject {
  /// The type of the errors that ``read(into:frameCount:)`` throws.
  associatedtype Failure: Error

  /// The sample rate in Hz, which is the number of frames per second.
  var sampleRate: Double { get }

  /// The number of channels, at least 1. This number is constant.
  var channelCount: Int { get }

  /// The number of frames that have not been read yet. Nil if this number is not known in advance.
  var remainingFrameCount: Int? { get }

  /// Copies the next frames to ``channelCount`` channels. At most `frameCount` frames are copied.
  ///
  /// - Returns: The number of frames copied. If fewer than `frameCount` frames are copied, the
  ///   source has ended.
  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int
}

extension FrameSource {
  /// Reads the next frames into `block`, and sets the block's `frameCount` to the number of frames
  /// read.
  ///
  /// - Parameter block: A block with the source's number of channels.
  /// - Returns: The number of frames read. If the block is not filled completely, the source has
  ///   ended.
  @discardableResult
  public func read(into block: AudioBlock) throws(Failure) -> Int {
    block.check(channelCount)
    // Unsafe: each row of the block has `capacity` frames.
    block.frameCount = try unsafe read(into: block.channels, frameCount: block.capacity)
    return block.frameCount
  }
}
