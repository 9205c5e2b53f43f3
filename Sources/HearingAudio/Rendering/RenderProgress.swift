/// The progress of a rendering.
public struct RenderProgress: Sendable, Equatable {
  /// The number of rendered frames.
  public let frameCount: Int

  /// The total number of frames; nil while it is unknown.
  public let totalFrameCount: Int?

  /// Frames per second.
  public let sampleRate: Double

  /// Seconds since the rendering began.
  public let elapsedSeconds: Double

  /// Whether this is the last report: the output is complete.
  public let isFinished: Bool

  /// The rendered part, 0…1; nil while the length is unknown.
  public var fraction: Double? {
    if isFinished { return 1 }
    guard let totalFrameCount else { return nil }
    return totalFrameCount > 0 ? min(1, Double(frameCount) / Double(totalFrameCount)) : 1
  }

  /// The speed as a multiple of real time; nil while no time has passed.
  public var speed: Double? {
    elapsedSeconds > 0 ? Double(frameCount) / sampleRate / elapsedSeconds : nil
  }

  /// The estimated remaining time in seconds at the speed so far; nil while it is unknown.
  public var secondsLeft: Double? {
    if isFinished { return 0 }
    guard let totalFrameCount, frameCount > 0, elapsedSeconds > 0 else { return nil }
    return elapsedSeconds * Double(max(0, totalFrameCount - frameCount)) / Double(frameCount)
  }
}
