internal import HearingAudio

/// The order in which a looped piece is rendered: what precedes the loop, the loop as often as it
/// takes for filters and detectors to settle (to be dropped), the loop, what follows it.
final class LoopedSource: FrameSource {
  let sampleRate: Double
  let channelCount: Int

  private let reader: WAVReader
  private let loop: Range<Int>
  private let frameCount: Int
  /// The loop, if it is short; from a file it would be sought for every few frames.
  private let shortLoop: AudioBlock?

  /// Frames before the loop.
  let introFrameCount: Int
  /// Frames of settling, which end where the loop ends.
  let settlingFrameCount: Int

  /// Frames delivered so far.
  private var position = 0

  private static let shortLoopLimit = 65_536

  /// - Parameters:
  ///   - reader: The whole piece; it can be sought.
  ///   - loop: Frames of it, at least one.
  ///   - settlingFrameCount: The loop is played at least once, and for at least so many frames,
  ///     before it counts; always to its end, as processing may go by the number of frames.
  init(_ reader: WAVReader, loop: Range<Int>, settlingFrameCount: Int) throws {
    let frameCount = reader.frameCount ?? 0
    precondition(
      !loop.isEmpty && loop.lowerBound >= 0 && loop.upperBound <= frameCount,
      "loop \(loop) of \(frameCount) frames")
    self.reader = reader
    self.loop = loop
    self.frameCount = frameCount
    let rounds = max(1, (settlingFrameCount + loop.count - 1) / loop.count)
    self.settlingFrameCount = rounds * loop.count
    sampleRate = reader.sampleRate
    channelCount = reader.channelCount
    introFrameCount = loop.lowerBound
    if loop.count <= Self.shortLoopLimit {
      let block = AudioBlock(channelCount: channelCount, capacity: loop.count)
      try reader.seek(toFrame: loop.lowerBound)
      try reader.read(into: block)
      shortLoop = block
    } else {
      shortLoop = nil
    }
    try reader.seek(toFrame: 0)
  }

  var remainingFrameCount: Int? { frameCount + settlingFrameCount - position }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws -> Int {
    let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
    defer { rows.deallocate() }
    var done = 0
    while done < frameCount {
      let (start, available) = passage()
      let count = min(available, frameCount - done)
      if count == 0 { break }
      for channel in 0..<channelCount { (rows + channel).initialize(to: channels[channel] + done) }
      let found = try read(into: UnsafePointer(rows), from: start, count: count)
      done += found
      position += found
      if found < count { break }
    }
    return done
  }

  /// The frame of the piece that comes next, and how many follow each other from there.
  private func passage() -> (start: Int, count: Int) {
    let settled = introFrameCount + settlingFrameCount
    if position < introFrameCount { return (position, introFrameCount - position) }
    if position >= settled {
      let start = position - settlingFrameCount
      return (start, frameCount - start)
    }
    let offset = (position - introFrameCount) % loop.count
    return (loop.lowerBound + offset, loop.count - offset)
  }

  private func read(
    into rows: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, count: Int
  ) throws -> Int {
    let isSettling =
      position >= introFrameCount && position < introFrameCount + settlingFrameCount
    guard isSettling, let shortLoop else {
      try reader.seek(toFrame: start)
      return try reader.read(into: rows, frameCount: count)
    }
    for channel in 0..<channelCount {
      rows[channel].update(
        from: shortLoop.channels[channel] + (start - loop.lowerBound), count: count)
    }
    return count
  }
}
