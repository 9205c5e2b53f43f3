/// How a request for audio data ended, and what came of it.
public struct AudioPassThruResponse: Sendable, Equatable {
  /// What ended a request that did not fail.
  public enum Ending: Sendable, Equatable {
    /// As many frames as the longest duration allows were received.
    case durationReached
    /// The app called ``AudioPassThru/end()``.
    case endedByApp
    /// There is no more sound where it came from.
    case sourceFinished
  }

  /// What ended it.
  public var ending: Ending

  /// The whole frames received, within the longest duration.
  public var frameCount: Int

  /// The bytes of a last sample that never became whole: 0 or 1.
  public var strayByteCount: Int

  /// The samples that had to be clipped after processing; 0 without processing.
  public var clippedSampleCount: Int

  /// A response, for tests and stand-ins.
  public init(
    ending: Ending, frameCount: Int, strayByteCount: Int = 0, clippedSampleCount: Int = 0
  ) {
    self.ending = ending
    self.frameCount = frameCount
    self.strayByteCount = strayByteCount
    self.clippedSampleCount = clippedSampleCount
  }
}
