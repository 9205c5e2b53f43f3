/// Tells when somebody starts and stops talking, for as long as it is asked to.
///
///     var mutedTalker = VoiceWatch()
///     mutedTalker.begin()                                    // the microphone is muted
///     detector.process(samples, frameCount: count) { decision in
///       switch mutedTalker.take(isVoice: decision.isVoice) {
///       case .started: show("You are muted")
///       case .ended, nil: break
///       }
///     }
///     mutedTalker.end()                                      // and now it is not
///
/// What it says alternates: a start, then an end, then a start. Each watch begins with nobody
/// talking, whatever was heard before it: talk starts 100 ms of voice into the watch, so that the
/// last word before a mute counts for nothing. It is over when the watch ends; that is told to
/// nobody, since whoever ends it knows.
///
/// A plain value: two states, and the decisions counted by a ``VoiceState``.
public struct VoiceWatch: Sendable, Equatable {
  /// Whether decisions are looked at.
  private var isWatching = false

  private var state = VoiceState()

  /// Not watching yet.
  public init() {}

  /// Whether somebody is talking under watch.
  public var isTalking: Bool {
    @_noLocks @_noAllocation get { state.isTalking }
  }

  /// Begins to watch, with nobody talking; does nothing while watching.
  @_noLocks @_noAllocation
  public mutating func begin() {
    isWatching = true
  }

  /// Stops watching; talk under way is over without a word.
  @_noLocks @_noAllocation
  public mutating func end() {
    isWatching = false
    state.reset()
  }

  /// Takes the next decision in, 10 ms after the one before, and returns what it changes.
  @_noLocks @_noAllocation
  public mutating func take(isVoice: Bool) -> VoiceState.Change? {
    isWatching ? state.take(isVoice: isVoice) : nil
  }
}
