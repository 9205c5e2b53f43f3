import HearingAudio

/// Passes sound on to a sink and leaves finishing it to the owner, who may have more files to write
/// before the first one appears.
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
