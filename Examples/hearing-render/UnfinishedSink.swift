import HearingAudio

/// Passes sound to a sink without finishing it. The owner finishes the sink after all files are
/// complete.
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
