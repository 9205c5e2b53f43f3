import HearingAudio

/// Passes samples to another sink, but does not finish that sink. The owner of that sink finishes
/// it after all files are complete.
final class UnfinishedSink<Sink: FrameSink>: FrameSink {
  private let sink: Sink

  init(_ sink: Sink) {
    self.sink = sink
  }

  var channelCount: Int { sink.channelCount }

  func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws {
    try unsafe sink.write(channels, frameCount: frameCount)
  }

  func finish() {}

  func abandon() { sink.abandon() }
}
