/// Reports when somebody starts and stops talking while it is watching.
///
///     var mutedTalker = VoiceWatch()
///     mutedTalker.begin()                                    // the microphone is muted
///     detector.process(samples, frameCount: count) { decision in
///       switch mutedTalker.take(isVoice: decision.isVoice) {
///       case .started: show("You are muted")
///       case .ended, nil: break
///       }
///     }
///     mutedTalker.end()                                      // the microphone is unmuted
///
/// Its reports alternate between start and end. Each watch starts in the state that nobody is
/// talking, and needs 100 ms of voice to report talk, so the last word before a mute does not
/// count. When the watch ends, talk ends without a report.
///
/// A plain value without a clock.
public struct VoiceWatch: Sendable, Equatable {
  /// Whether decisions count.
  private var isWatching = false

  private var state = VoiceState()

  /// Not watching yet.
  public init() {}

  /// Whether somebody is talking, as far as this watch has reported.
  public var isTalking: Bool { state.isTalking }

  /// Starts watching, with nobody talking; does nothing while watching.
  public mutating func begin() {
    isWatching = true
  }

  /// Stops watching; reported talk ends without a further report.
  public mutating func end() {
    isWatching = false
    state.reset()
  }

  /// Adds the next decision, 10 ms after the previous one, and returns the change it causes.
  public mutating func take(isVoice: Bool) -> VoiceState.Change? {
    isWatching ? state.take(isVoice: isVoice) : nil
  }

  /// Adds a decision on the microphone and returns the change it causes.
  mutating func add(_ decision: NearDecision) -> VoiceState.Change? {
    isWatching ? state.add(decision) : nil
  }
}
