/// How far a rendering has come.
public struct RenderProgress: Sendable, Equatable {
  /// The frames that are done.
  public let frameCount: Int

  /// The frames there will be; `nil` where the source cannot tell yet.
  public let totalFrameCount: Int?

  /// Frames a second.
  public let sampleRate: Double

  /// Seconds since the rendering began.
  public let elapsedSeconds: Double

  /// Whether this is the last report: everything is rendered and the output is in its place.
  public let isFinished: Bool

  /// The part that is done, 0…1; `nil` while the length is unknown.
  public var fraction: Double? {
    if isFinished { return 1 }
    guard let totalFrameCount else { return nil }
    return totalFrameCount > 0 ? min(1, Double(frameCount) / Double(totalFrameCount)) : 1
  }

  /// The speed as a multiple of real time; `nil` until some time has passed.
  public var speed: Double? {
    elapsedSeconds > 0 ? Double(frameCount) / sampleRate / elapsedSeconds : nil
  }

  /// The seconds that the rest takes at the speed so far; `nil` while that cannot be told.
  public var secondsLeft: Double? {
    if isFinished { return 0 }
    guard let totalFrameCount, frameCount > 0, elapsedSeconds > 0 else { return nil }
    return elapsedSeconds * Double(max(0, totalFrameCount - frameCount)) / Double(frameCount)
  }
}
