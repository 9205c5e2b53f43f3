internal import HearingAudio

/// Sound that stops coming, with an error, when its reading is cancelled.
final class CancellableSource: FrameSource {
  private let source: any FrameSource
  private let isCancelled: () -> Bool

  /// - Parameter isCancelled: Asked before every read; a cancelled task counts as well.
  init(_ source: any FrameSource, isCancelled: @escaping () -> Bool) {
    self.source = source
    self.isCancelled = isCancelled
  }

  var sampleRate: Double { source.sampleRate }
  var channelCount: Int { source.channelCount }
  var remainingFrameCount: Int? { source.remainingFrameCount }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws -> Int {
    if isCancelled() || Task.isCancelled { throw CancellationError() }
    return try source.read(into: channels, frameCount: frameCount)
  }
}
