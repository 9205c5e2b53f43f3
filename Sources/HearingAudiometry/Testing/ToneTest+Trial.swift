extension ToneTest {
  /// A presentation and its answer.
  package struct Trial: Sendable, Hashable, Codable {
    /// What was played.
    package let presentation: Presentation
    /// What the listener did.
    package let response: ToneResponse
    /// The time from the onset to the press in seconds; nil if there was no press or if the time is
    /// unknown.
    package let delay: Double?

    /// Whether the press was too fast to be a response.
    var isEarly: Bool {
      guard response.isHeard, let delay else { return false }
      return delay < ToneTest.shortestDelay / .seconds(1)
    }

    /// Whether the answer is used to estimate a threshold.
    var isScored: Bool { !presentation.isSilent && !isEarly }
  }

  /// Every presentation with its answer, in order. `delay` is the time from the onset to the press
  /// in seconds; nil if there was no press or if the time is unknown.
  public var trials: [(presentation: Presentation, response: ToneResponse, delay: Double?)] {
    history.map { ($0.presentation, $0.response, $0.delay) }
  }
}
