extension OfflineRenderer {
  /// The look-ahead of the limiter in seconds for offline rendering, where latency does not matter:
  /// 2 ms.
  public static let lookAhead = 0.002
}

/// A source followed by silence, so that a processor with latency delivers the end of the sound.
///
///     let latency = processor.latency
///     try OfflineRenderer().render(
///       from: DelayedSource(reader, frameCount: latency),
///       to: AdvancedSink(writer, frameCount: latency)) { … }
public final class DelayedSource<Source: FrameSource>: FrameSource {
  private let source: Source
  private var silence: Int

  /// A source with `frameCount` frames of silence after its end.
  public init(_ source: Source, frameCount: Int) {
    precondition(frameCount >= 0, "\(frameCount) frames of silence")
    self.source = source
    silence = frameCount
  }

  /// The sample rate of the source.
  public var sampleRate: Double { source.sampleRate }

  /// The number of channels of the source.
  public var channelCount: Int { source.channelCount }

  /// The number of remaining frames, including the silence; nil if it is unknown for the source.
  public var remainingFrameCount: Int? { source.remainingFrameCount.map { $0 + silence } }

  /// Reads sound, then silence.
  public func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws -> Int {
    // Unsafe: the caller guarantees that each row holds `frameCount` frames.
    let count = try unsafe source.read(into: channels, frameCount: frameCount)
    let silent = min(silence, frameCount - count)
    for channel in 0..<channelCount where silent > 0 {
      unsafe (channels[channel] + count).update(repeating: 0, count: silent)
    }
    silence -= silent
    return count + silent
  }
}

/// A sink that drops the first frames: the silence that a processor with latency delivers first.
public final class AdvancedSink<Sink: FrameSink>: FrameSink {
  private let sink: Sink
  private var dropped: Int

  /// A sink without the first `frameCount` frames.
  public init(_ sink: Sink, frameCount: Int) {
    precondition(frameCount >= 0, "\(frameCount) dropped frames")
    self.sink = sink
    dropped = frameCount
  }

  /// The number of channels of the sink.
  public var channelCount: Int { sink.channelCount }

  /// Writes the frames that are not dropped.
  public func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws {
    let skipped = min(dropped, frameCount)
    dropped -= skipped
    guard skipped > 0 else { return try unsafe sink.write(channels, frameCount: frameCount) }
    guard skipped < frameCount else { return }
    try unsafe withUnsafeTemporaryAllocation(
      of: UnsafeMutablePointer<Float>.self, capacity: channelCount
    ) { rest in
      for channel in 0..<channelCount {
        unsafe rest.initializeElement(at: channel, to: channels[channel] + skipped)
      }
      guard let start = rest.baseAddress else { return }
      try unsafe sink.write(UnsafePointer(start), frameCount: frameCount - skipped)
    }
  }

  /// Completes the sink.
  public func finish() throws { try sink.finish() }

  /// Abandons the sink.
  public func abandon() { sink.abandon() }
}
