extension ToneTest {
  /// A presentation and its answer.
  package struct Trial: Sendable, Hashable, Codable {
    /// The presentation that was played.
    package let presentation: Presentation
    /// The listener's answer to the presentation.
    package let response: ToneResponse
    /// The time in seconds from the onset of the tone to the press; nil if there was no press or if
    /// the time is unknown.
    package let delay: Double?

    /// Whether the press came too early to be a response to the tone.
    var isEarly: Bool {
      guard response.isHeard, let delay else { return false }
      return delay < ToneTest.shortestDelay / .seconds(1)
    }

    /// Whether the answer is used to estimate a threshold.
    var isScored: Bool { !presentation.isSilent && !isEarly }
  }

  /// Every presentation with its answer, in order of time. The element `delay` is the time in
  /// seconds from the onset of the tone to the press; nil if there was no press or if the time is
  /// unknown.
  public var trials: [(presentation: Presentation, response: ToneResponse, delay: Double?)] {
    history.map { ($0.presentation, $0.response, $0.delay) }
  }
}
