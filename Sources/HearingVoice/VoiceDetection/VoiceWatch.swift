internal import HearingDSP

/// Reports when somebody starts or stops talking. A watch reports only during periods in which a
/// setting is active, for example the mute.
///
///     var mutedTalker = VoiceWatch(kind: .mutedTalker)
///     mutedTalker.follow(1)                              // the microphone is muted
///     if let event = mutedTalker.add(decision) { events.publish(event) }
///     mutedTalker.follow(nil)                            // the microphone is unmuted
///
/// The reports alternate between the start and the end of talk. At the start of a period, nobody
/// counts as talking. The start of talk is reported after 100 ms of voice within a period.
/// Therefore the last word before a mute does not count. The functions ``follow(_:)`` and
/// ``end(frame:)`` also end talk. Only ``end(frame:)`` reports this end.
struct VoiceWatch {
  /// The kind of the events that this watch reports.
  let kind: RenderEvent.Kind

  /// The number of the current period, or nil outside a period. Outside a period, decisions are
  /// ignored.
  private(set) var period: UInt32?

  private(set) var state = VoiceState()

  /// Whether somebody is talking, according to the reports of this watch.
  var isTalking: Bool { state.isTalking }

  /// Restarts the watch if the number of the period changes.
  mutating func follow(_ period: UInt32?) {
    guard period != self.period else { return }
    self.period = period
    state.reset()
  }

  /// Adds the next decision, which is 10 ms after the previous decision. Returns an event to
  /// publish, or nil if there is no event.
  mutating func add(_ decision: NearDecision) -> RenderEvent? {
    guard let period, let change = state.add(decision) else { return nil }
    return RenderEvent(kind, frame: decision.frame, change: change, period: period)
  }

  /// Ends the period. If somebody is talking, returns an event that reports the end of the talk.
  mutating func end(frame: Int64) -> RenderEvent? {
    let (period, isTalking) = (period, isTalking)
    follow(nil)
    guard isTalking, let period else { return nil }
    return RenderEvent(kind, frame: frame, change: .ended, period: period)
  }
}
