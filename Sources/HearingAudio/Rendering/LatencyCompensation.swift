extension OfflineRenderer {
  /// The look-ahead of the limiter for offline rendering in seconds: 0.002. Latency does not matter
  /// in offline rendering.
  public static let lookAhead = 0.002
}

/// A source that appends silence to another source. With this silence, a processor with latency
/// delivers the end of the signal.
///
///     let latency = processor.latency
///     try OfflineRenderer().render(
///       from: TailPaddedSource(reader, frameCount: latency),
///       to: LeadTrimmingSink(writer, frameCount: latency)) { … }
package final class TailPaddedSource<Source: FrameSource>: FrameSource {
  private let source: Source
  private var silence: Int

  /// Creates a source with `frameCount` frames of silence after its end.
  package init(_ source: Source, frameCount: Int) {
    precondition(frameCount >= 0, "\(frameCount) frames of silence")
    self.source = source
    silence = frameCount
  }

  /// The sample rate of the source.
  package var sampleRate: Double { source.sampleRate }

  /// The number of channels of the source.
  package var channelCount: Int { source.channelCount }

  /// The number of remaining frames, including the silence. Nil if the number is unknown for the
  /// source.
  package var remainingFrameCount: Int? { source.remainingFrameCount.map { $0 + silence } }

  /// Reads the frames of the source, then silence.
  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws -> Int {
    // Unsafe: the caller guarantees that each row holds `frameCount` frames.
    let rows = unsafe ChannelRows(channels, channelCount: channelCount, frameCount: frameCount)
    let count = try source.read(into: rows)
    let silent = min(silence, frameCount - count)
    rows.silence(from: count, count: silent)
    silence -= silent
    return count + silent
  }
}

/// A sink that removes the first frames. These frames are the silence that a processor with latency
/// delivers first.
package final class LeadTrimmingSink<Sink: FrameSink>: FrameSink {
  private let sink: Sink
  /// The number of frames that must still be removed.
  private var remainingLead: Int
  private let table: ChannelTable

  /// Creates a sink that removes the first `frameCount` frames.
  package init(_ sink: Sink, frameCount: Int) {
    precondition(frameCount >= 0, "\(frameCount) frames to remove")
    self.sink = sink
    remainingLead = frameCount
    table = ChannelTable(channelCount: sink.channelCount)
  }

  /// The number of channels of the sink.
  package var channelCount: Int { sink.channelCount }

  /// Writes the frames that are not removed.
  package func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws {
    let skipped = min(remainingLead, frameCount)
    remainingLead -= skipped
    guard skipped < frameCount else { return }
    // Unsafe: the caller guarantees that each row holds `frameCount` frames.
    let rows = unsafe ChannelRows(channels, channelCount: channelCount, frameCount: frameCount)
    try sink.write(table.part(of: rows, from: skipped, count: frameCount - skipped))
  }

  /// Finishes the sink.
  package func finish() throws { try sink.finish() }

  /// Abandons the sink.
  package func abandon() { sink.abandon() }
}
