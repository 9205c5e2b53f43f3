internal import Foundation
internal import HearingAudio

/// Receives the rendered output of a ``LoopedSource``, and discards the output of the settling
/// rounds. The settling rounds are additional passes through the loop. After the settling rounds,
/// the filters and the level detectors have the same state as at the end of the loop.
///
/// The intro is the audio before the loop. In the output, the loop directly follows the intro.
/// However, the settling rounds were rendered between the intro and the loop. Therefore the signal
/// could jump at the start of the loop. A ramp over the last 5 ms of the intro avoids this jump.
final class LoopedSink<Sink: FrameSink>: FrameSink {
  private let sink: Sink
  private let introFrameCount: Int
  private let settlingFrameCount: Int
  private let peaks: [Float]
  /// The buffer for the last frames of the intro. The buffered frames are written when the first
  /// frame after the settling rounds is known.
  private let held: AudioBlock
  /// The first frame of the first settling round. This frame was rendered directly after the intro.
  private var natural: [Float]
  private var position = 0

  private static var rampSeconds: Double { 0.005 }

  /// Creates a sink for the rendered output of `source`.
  ///
  /// - Parameters:
  ///   - sink: Receives the rendered output without the output of the settling rounds.
  ///   - source: The source of the audio that is rendered.
  ///   - peaks: The maximum magnitude of the samples in each channel.
  init(_ sink: Sink, source: LoopedSource, peaks: [Float]) {
    self.sink = sink
    introFrameCount = source.introFrameCount
    settlingFrameCount = source.settlingFrameCount
    self.peaks = peaks
    held = AudioBlock(
      channelCount: sink.channelCount,
      capacity: min(introFrameCount, Int(Self.rampSeconds * source.sampleRate)))
    natural = peaks.map { _ in 0 }
  }

  var channelCount: Int { sink.channelCount }

  func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws {
    let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
    // Unsafe: the caller guarantees that each channel holds `frameCount` frames. The pointers in
    // `rows` refer to these frames.
    defer { unsafe rows.deallocate() }
    var done = 0
    while done < frameCount {
      for channel in 0..<channelCount {
        unsafe (rows + channel).initialize(to: channels[channel] + done)
      }
      unsafe done += try accept(UnsafePointer(rows), atMost: frameCount - done)
    }
  }

  func finish() throws { try sink.finish() }

  func abandon() { sink.abandon() }

  /// Accepts frames up to the end of the current section, and returns the number of accepted
  /// frames. The audio has four sections, in this order: the start of the intro, the last frames of
  /// the intro, the settling rounds, and the audio from the start of the loop to the end.
  private func accept(
    _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, atMost limit: Int
  ) throws -> Int {
    let passed = introFrameCount - held.capacity
    let settled = introFrameCount + settlingFrameCount
    let count: Int
    if position < passed {
      count = min(limit, passed - position)
      try unsafe sink.write(rows, frameCount: count)
    } else if position < introFrameCount {
      count = min(limit, introFrameCount - position)
      let start = held.frameCount
      held.frameCount += count
      for channel in 0..<channelCount {
        unsafe held[channel].baseAddress?.advanced(by: start).update(
          from: rows[channel], count: count)
      }
    } else if position < settled {
      if position == introFrameCount { natural = unsafe first(of: rows) }
      count = min(limit, settled - position)
    } else {
      if position == settled { try unsafe release(before: first(of: rows)) }
      count = limit
      try unsafe sink.write(rows, frameCount: count)
    }
    position += count
    return count
  }

  private func first(of rows: UnsafePointer<UnsafeMutablePointer<Float>>) -> [Float] {
    (0..<channelCount).map { unsafe rows[$0][0] }
  }

  /// Writes the buffered last frames of the intro, with a ramp towards the first frame of the loop.
  private func release(before frame: [Float]) throws {
    guard held.frameCount > 0 else { return }
    for channel in 0..<channelCount {
      let step = (frame[channel] - natural[channel]) / Float(held.frameCount + 1)
      let samples = unsafe held[channel]
      for index in samples.indices {
        let sample = unsafe samples[index] + Float(index + 1) * step
        unsafe samples[index] = max(-peaks[channel], min(peaks[channel], sample))
      }
    }
    try sink.write(held)
  }
}

/// Adds a fade-in and a fade-out to the audio, both in the shape of a raised cosine.
final class FadedSink<Sink: FrameSink>: FrameSink {
  private let sink: Sink
  private let frameCount: Int
  private let fadeFrameCount: Int
  private var position = 0

  /// Creates a sink that fades the audio.
  ///
  /// - Parameters:
  ///   - sink: Receives the faded audio.
  ///   - frameCount: The length of the audio in frames.
  ///   - fadeFrameCount: The length of each fade in frames. A fade is at most half as long as the
  ///     audio.
  init(_ sink: Sink, frameCount: Int, fadeFrameCount: Int) {
    self.sink = sink
    self.frameCount = frameCount
    self.fadeFrameCount = min(fadeFrameCount, frameCount / 2)
  }

  var channelCount: Int { sink.channelCount }

  func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws {
    for frame in 0..<frameCount {
      let distance = min(position + frame, self.frameCount - 1 - position - frame)
      guard distance < fadeFrameCount else { continue }
      let angle = Double.pi * (Double(max(0, distance)) + 0.5) / Double(fadeFrameCount)
      let gain = Float(0.5 - 0.5 * cos(angle))
      for channel in 0..<channelCount { unsafe channels[channel][frame] *= gain }
    }
    position += frameCount
    try unsafe sink.write(channels, frameCount: frameCount)
  }

  func finish() throws { try sink.finish() }

  func abandon() { sink.abandon() }
}
