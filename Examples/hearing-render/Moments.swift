/// Cuts a stream of blocks at every 10 ms of sound, so that what is noted then does not depend on
/// the blocks' size.
struct Moments {
  /// Seconds from one moment to the next.
  static let interval = 0.01

  private let sampleRate: Double
  private var frameCount = 0
  private var count = 0

  init(sampleRate: Double) {
    self.sampleRate = sampleRate
  }

  /// Passes a stereo block on in parts; after a part that ends at a moment, `note` is given the
  /// seconds since the start.
  mutating func cut(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount blockCount: Int,
    process: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) throws -> Void,
    note: (_ seconds: Double) throws -> Void
  ) rethrows {
    var done = 0
    while done < blockCount {
      let untilMoment = nextMoment - frameCount
      let part = min(blockCount - done, untilMoment)
      try [channels[0] + done, channels[1] + done].withUnsafeBufferPointer { rows in
        guard let rows = rows.baseAddress else { return }
        try process(rows, part)
      }
      done += part
      frameCount += part
      guard part == untilMoment else { continue }
      count += 1
      try note(Double(count) * Self.interval)
    }
  }

  /// In frames since the start.
  private var nextMoment: Int {
    Int((Double(count + 1) * Self.interval * sampleRate).rounded())
  }
}
