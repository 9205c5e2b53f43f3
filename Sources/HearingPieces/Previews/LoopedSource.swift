internal import HearingAudio

/// Delivers the frames of a piece for rendering: the intro, the settling rounds, the loop, and the
/// remainder of the piece. The intro is the audio before the loop. A round is one pass through the
/// loop. The settling rounds are additional rounds before the loop. After the settling rounds, the
/// filters and the level detectors have the same state as at the end of the loop. ``LoopedSink``
/// discards the output of the settling rounds.
final class LoopedSource: FrameSource {
  let sampleRate: Double
  let channelCount: Int

  private let reader: WAVReader
  private let loop: Range<Int>
  private let frameCount: Int
  /// The samples of a short loop; nil if the loop is long. Without this copy in memory, the reader
  /// would have to seek to the start of the loop in every round.
  private let shortLoop: AudioBlock?
  /// The number of times that the loop is delivered after the settling rounds. If `rounds` is nil,
  /// the source delivers the whole piece, not only the loop.
  private let rounds: Int?

  /// The number of frames that the source delivers before the loop.
  let introFrameCount: Int
  /// The number of frames in the settling rounds, a multiple of the loop's length.
  let settlingFrameCount: Int

  /// The number of frames that have been delivered.
  private var position = 0

  private static let shortLoopLimit = 65_536

  /// Creates a source that reads from `reader`.
  ///
  /// - Parameters:
  ///   - reader: The reader of the whole piece. The reader must be able to seek.
  ///   - loop: The range of the loop's frames in the piece. The range must not be empty.
  ///   - settlingFrameCount: The minimum number of frames in the settling rounds. The source
  ///     delivers whole settling rounds, and at least one settling round.
  ///   - rounds: The number of times that the loop is delivered after the settling rounds. If
  ///     `rounds` is not nil, the source delivers only the loop. If `rounds` is nil, the source
  ///     delivers the whole piece.
  init(
    _ reader: WAVReader, loop: Range<Int>, settlingFrameCount: Int, rounds: Int? = nil
  ) throws {
    let frameCount = reader.frameCount ?? 0
    precondition(
      !loop.isEmpty && loop.lowerBound >= 0 && loop.upperBound <= frameCount,
      "loop \(loop) of \(frameCount) frames")
    self.reader = reader
    self.loop = loop
    self.frameCount = frameCount
    self.rounds = rounds
    let settlingRounds = max(1, (settlingFrameCount + loop.count - 1) / loop.count)
    self.settlingFrameCount = settlingRounds * loop.count
    sampleRate = reader.sampleRate
    channelCount = reader.channelCount
    introFrameCount = rounds == nil ? loop.lowerBound : 0
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

  var remainingFrameCount: Int? {
    (rounds.map { $0 * loop.count } ?? frameCount) + settlingFrameCount - position
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws -> Int {
    let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
    // Unsafe: the caller guarantees that each channel holds `frameCount` frames. The pointers in
    // `rows` refer to these frames.
    defer { unsafe rows.deallocate() }
    var done = 0
    while done < frameCount {
      let (start, available) = nextRun()
      let count = min(available, frameCount - done)
      if count == 0 { break }
      for channel in 0..<channelCount {
        unsafe (rows + channel).initialize(to: channels[channel] + done)
      }
      let found = try unsafe read(into: UnsafePointer(rows), from: start, count: count)
      done += found
      position += found
      if found < count { break }
    }
    return done
  }

  /// The index in the piece of the next frame to deliver. The function also returns the number of
  /// consecutive frames that can be delivered from this index.
  private func nextRun() -> (start: Int, count: Int) {
    let settled = introFrameCount + settlingFrameCount
    if position < introFrameCount { return (position, introFrameCount - position) }
    if let rounds {
      let offset = position % loop.count
      let left = settlingFrameCount + rounds * loop.count - position
      return (loop.lowerBound + offset, min(left, loop.count - offset))
    }
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
    let isInLoop =
      rounds != nil
      || position >= introFrameCount && position < introFrameCount + settlingFrameCount
    guard isInLoop, let shortLoop else {
      try reader.seek(toFrame: start)
      return try unsafe reader.read(into: rows, frameCount: count)
    }
    for channel in 0..<channelCount {
      unsafe rows[channel].update(
        from: shortLoop.channels[channel] + (start - loop.lowerBound), count: count)
    }
    return count
  }
}
