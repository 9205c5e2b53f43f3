/// The progress of a rendering.
public struct RenderProgress: Sendable, Equatable {
  /// The number of rendered frames.
  public let frameCount: Int

  /// The total number of frames to render. Nil while this number is unknown.
  public let totalFrameCount: Int?

  /// The sample rate in Hz, which is the number of frames per second.
  public let sampleRate: Double

  /// The time in seconds since the rendering began.
  public let elapsedSeconds: Double

  /// Whether the output is complete. True only in the last progress report.
  public let isFinished: Bool

  /// The rendered fraction of the total number of frames, 0…1. Nil while the total number is
  /// unknown.
  public var fraction: Double? {
    if isFinished { return 1 }
    guard let totalFrameCount else { return nil }
    return totalFrameCount > 0 ? min(1, Double(frameCount) / Double(totalFrameCount)) : 1
  }

  /// The speed of the rendering as a multiple of real time. For example, 10 means that 10 s of
  /// audio are rendered in 1 s. Nil while no time has passed.
  public var speed: Double? {
    elapsedSeconds > 0 ? Double(frameCount) / sampleRate / elapsedSeconds : nil
  }

  /// The remaining time in seconds, estimated from the average speed so far. Nil while the
  /// remaining time cannot be estimated.
  public var secondsLeft: Double? {
    if isFinished { return 0 }
    guard let totalFrameCount, frameCount > 0, elapsedSeconds > 0 else { return nil }
    return elapsedSeconds * Double(max(0, totalFrameCount - frameCount)) / Double(frameCount)
  }
}
