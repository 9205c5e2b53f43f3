/// Reports when somebody starts or stops talking between ``begin()`` and ``end()``.
///
///     var mutedTalker = VoiceWatch()
///     mutedTalker.begin()                                    // the microphone is muted
///     detector.process(samples, frameCount: count) { decision in
///       switch mutedTalker.add(isVoice: decision.isVoice) {
///       case .started: show("You are muted")
///       case .ended, nil: break
///       }
///     }
///     mutedTalker.end()                                      // the microphone is unmuted
///
/// The reports alternate between the start and the end of talk. When a watch begins, nobody is
/// talking. A watch reports talk after 100 ms of voice. Therefore the last word before a mute does
/// not count. When a watch ends, talk ends without a report.
///
/// A ``VoiceWatch`` is a plain value. A watch does not read a clock, because the caller passes the
/// time.
package struct VoiceWatch: Sendable, Equatable {
  /// Whether a watch is in progress. If no watch is in progress, decisions are ignored.
  private var isWatching = false

  private var state = VoiceState()

  /// Creates a watch that has not begun.
  package init() {}

  /// Whether somebody is talking, according to the reports of this watch.
  package var isTalking: Bool { state.isTalking }

  /// Begins the watch. At the beginning, nobody is talking. Has no effect if the watch has already
  /// begun.
  package mutating func begin() {
    isWatching = true
  }

  /// Ends the watch. Talk ends without a report.
  package mutating func end() {
    isWatching = false
    state.reset()
  }

  /// Adds the next decision, which is 10 ms after the previous decision. Returns the change to
  /// report, or nil.
  package mutating func add(isVoice: Bool) -> VoiceState.Change? {
    isWatching ? state.add(isVoice: isVoice) : nil
  }

  /// Adds a decision on the microphone signal. Returns the change to report, or nil.
  mutating func add(_ decision: NearDecision) -> VoiceState.Change? {
    isWatching ? state.add(decision) : nil
  }
}
