extension ToneTest {
  /// A presentation and its answer.
  public struct Trial: Sendable, Hashable, Codable {
    /// What was played.
    public let presentation: Presentation
    /// What the listener did.
    public let response: ToneResponse
    /// The time from the onset to the press in seconds; nil if there was no press or if the time is
    /// unknown.
    public let delay: Double?

    /// Whether the press was too fast to be a response.
    var isEarly: Bool {
      guard response.isHeard, let delay else { return false }
      return delay < ToneTest.shortestDelay / .seconds(1)
    }

    /// Whether the answer is used to estimate a threshold.
    var isScored: Bool { !presentation.isSilent && !isEarly }
  }
}
