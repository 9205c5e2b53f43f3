/// The speed of the listener's answers.
extension ToneTest {
  /// The known delays of responses in seconds. The delays of presses that came too early are not
  /// included.
  private var delays: [Double] {
    history.filter { $0.response.isHeard && !$0.isEarly }.compactMap { $0.delay }
  }

  /// The time in seconds after the end of a tone in which a press of the button still counts. If at
  /// least three delays are known, the time depends on the delays. With fewer known delays, the
  /// time is usually ``Presentation/longestTail``. If the app did not report the delay of a
  /// response, the time is ``Presentation/shortestTail``.
  var responseTail: Double {
    let delays = delays
    guard delays.count >= 3 else {
      let isUnknown = history.contains { $0.response.isHeard && $0.delay == nil }
      return isUnknown ? Presentation.shortestTail : Presentation.longestTail
    }
    let mean = delays.reduce(0, +) / Double(delays.count)
    let variance = delays.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(delays.count - 1)
    // The standard deviation is increased, because an estimate from a few delays is uncertain.
    let spread = max(variance.squareRoot(), 0.1) * (1 + 2 / Double(delays.count))
    let tail = mean + 4 * spread - settings.tone.duration
    return (min(max(tail, Presentation.shortestTail), Presentation.longestTail) * 10).rounded() / 10
  }

  /// Whether the listener answers slowly. A slow listener has at least five known delays, and the
  /// median delay is greater than `slowDelay`.
  var isSlow: Bool {
    let delays = delays.sorted()
    return delays.count >= 5 && delays[delays.count / 2] > Self.slowDelay
  }

  /// If the median delay exceeds this value in seconds, the answers are reported as slow.
  private static let slowDelay = 1.2
}
