internal import HearingDSP
internal import HearingVoice

/// Sorts out which changes of a voice are news to a listener.
///
/// What belongs to an earlier mute, or spell of detection, comes too late; where events were
/// coalesced, the same change may come twice in a row. What is left alternates within each mute,
/// beginning with a start.
struct VoiceNews {
  private var period: UInt32?
  private var isTalking = false

  /// The change that `event` tells, if the listener is to hear of it.
  ///
  /// - Parameter isCurrent: Whether the event belongs to the mute that is in force.
  mutating func take(_ event: RenderEvent, isCurrent: Bool) -> VoiceState.Change? {
    guard isCurrent, let change = event.voiceChange else { return nil }
    if event.voicePeriod != period {
      period = event.voicePeriod
      isTalking = false
    }
    guard (change == .started) != isTalking else { return nil }
    isTalking.toggle()
    return change
  }
}
