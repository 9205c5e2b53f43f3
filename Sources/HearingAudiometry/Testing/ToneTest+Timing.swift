/// The speed of the listener's answers.
extension ToneTest {
  /// The known delays of the responses, in seconds after the onset of the tone. The delay of a
  /// press that came too early to be a response is not included.
  private var delays: [Double] {
    history.filter { $0.response.isHeard && !$0.isEarly }.compactMap { $0.delay }
  }

  /// The time in seconds after the end of a tone in which a press of the button still counts. If at
  /// least three delays of responses are known, the time is computed from these delays. With fewer
  /// known delays, there are two cases. If the app reported the delay of every response, the time
  /// is ``Presentation/longestTail``. If the app did not report the delay of a response, the time
  /// is ``Presentation/shortestTail``.
  var responseTail: Double {
    let delays = delays
    guard delays.count >= 3 else {
      let isUnknown = history.contains { $0.response.isHeard && $0.delay == nil }
      return isUnknown ? Presentation.shortestTail : Presentation.longestTail
    }
    let mean = delays.reduce(0, +) / Double(delays.count)
    let variance = delays.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(delays.count - 1)
    // An estimate of the standard deviation from a few delays is uncertain. Therefore the estimate
    // is increased.
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

  /// The median delay in seconds above which the answers are reported as slow.
  private static let slowDelay = 1.2
}
