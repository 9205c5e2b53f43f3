internal import HearingDSP

/// Reports when somebody starts or stops talking during the periods in which a setting, such as
/// mute, is active.
///
///     var mutedTalker = VoiceWatch(kind: .mutedTalker)
///     mutedTalker.follow(1)                              // the microphone is muted
///     if let event = mutedTalker.add(decision) { events.publish(event) }
///     mutedTalker.follow(nil)                            // the microphone is unmuted
///
/// The reports alternate between the start and the end of talk. When a period begins, nobody counts
/// as talking. A watch reports talk after 100 ms of voice within the period. Therefore the last
/// word before a mute does not count. When a period ends, talk ends without a report.
struct VoiceWatch {
  /// The kind of the events that this watch reports.
  let kind: RenderEvent.Kind

  /// The number of the current period. Nil outside a period. While the value is nil, decisions are
  /// ignored.
  private(set) var period: UInt32?

  private(set) var state = VoiceState()

  /// Whether somebody is talking, according to the reports of this watch.
  var isTalking: Bool { state.isTalking }

  /// Starts over if the number of the period changes.
  mutating func follow(_ period: UInt32?) {
    guard period != self.period else { return }
    self.period = period
    state.reset()
  }

  /// Adds the next decision, which is 10 ms after the previous decision. Returns the event to
  /// publish, or nil.
  mutating func add(_ decision: NearDecision) -> RenderEvent? {
    guard let period, let change = state.add(decision) else { return nil }
    return RenderEvent(kind, frame: decision.frame, change: change, period: period)
  }

  /// Ends the period. If the start of talk was reported, returns an event that reports the end of
  /// talk.
  mutating func end(frame: Int64) -> RenderEvent? {
    let (period, isTalking) = (period, isTalking)
    follow(nil)
    guard isTalking, let period else { return nil }
    return RenderEvent(kind, frame: frame, change: .ended, period: period)
  }
}
