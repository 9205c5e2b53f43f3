internal import HearingAudio

/// Takes what was rendered from a ``LoopedSource``, without the settling.
///
/// The loop sounds as if it had been played for ever, not as if it followed what precedes it. So that
/// no step is heard where it begins for the first time, the last 5 ms before it are led to it by a
/// ramp.
final class LoopedSink<Sink: FrameSink>: FrameSink {
  private let sink: Sink
  private let introFrameCount: Int
  private let settlingFrameCount: Int
  private let peaks: [Float]
  /// The end of what precedes the loop.
  private let held: AudioBlock
  /// How the first frame of the loop would sound if it followed what precedes it.
  private var natural: [Float]
  private var position = 0

  private static var rampSeconds: Double { 0.005 }

  /// - Parameters:
  ///   - sink: Where the piece goes.
  ///   - source: Where it comes from.
  ///   - peaks: What no sample of a channel exceeds.
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
    defer { rows.deallocate() }
    var done = 0
    while done < frameCount {
      for channel in 0..<channelCount { (rows + channel).initialize(to: channels[channel] + done) }
      done += try take(UnsafePointer(rows), atMost: frameCount - done)
    }
  }

  func finish() throws { try sink.finish() }

  func abandon() { sink.abandon() }

  /// Takes frames up to where something else begins, and returns how many.
  private func take(
    _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, atMost limit: Int
  ) throws -> Int {
    let passed = introFrameCount - held.capacity
    let settled = introFrameCount + settlingFrameCount
    let count: Int
    if position < passed {
      count = min(limit, passed - position)
      try sink.write(rows, frameCount: count)
    } else if position < introFrameCount {
      count = min(limit, introFrameCount - position)
      let start = held.frameCount
      held.frameCount += count
      for channel in 0..<channelCount {
        held[channel].baseAddress?.advanced(by: start).update(from: rows[channel], count: count)
      }
    } else if position < settled {
      if position == introFrameCount { natural = first(of: rows) }
      count = min(limit, settled - position)
    } else {
      if position == settled { try release(before: first(of: rows)) }
      count = limit
      try sink.write(rows, frameCount: count)
    }
    position += count
    return count
  }

  private func first(of rows: UnsafePointer<UnsafeMutablePointer<Float>>) -> [Float] {
    (0..<channelCount).map { rows[$0][0] }
  }

  /// Writes what was held, led to the first frame of the loop.
  private func release(before frame: [Float]) throws {
    guard held.frameCount > 0 else { return }
    for channel in 0..<channelCount {
      let step = (frame[channel] - natural[channel]) / Float(held.frameCount + 1)
      let samples = held[channel]
      for index in samples.indices {
        let sample = samples[index] + Float(index + 1) * step
        samples[index] = max(-peaks[channel], min(peaks[channel], sample))
      }
    }
    try sink.write(held)
  }
}
