internal import HearingDSP

/// Converts voice decisions to events, if the settings request these events.
struct VoiceReporter {
  let events: RenderEventWriter
  private(set) var mutedTalker = VoiceWatch(kind: .mutedTalker)
  private(set) var nearVoice = VoiceWatch(kind: .nearVoice)
  private(set) var farVoice = VoiceWatch(kind: .farVoice)
  /// The ducking gain in dB in the last report, or nil before the first report.
  private(set) var duckingGain: Float?

  /// Applies settings. If the microphone was muted or unmuted, `mutedTalker` restarts. If voice
  /// activity detection was switched on or off, `nearVoice` and `farVoice` restart.
  ///
  /// Between two blocks, a setting may change and change back. Only the number of the mute period
  /// or of the detection period shows such a change. Therefore this function uses the numbers of
  /// the periods instead of the settings.
  mutating func apply(_ settings: VoiceSettings) {
    mutedTalker.follow(settings.mutePeriod)
    nearVoice.follow(settings.detectionPeriod)
    farVoice.follow(settings.detectionPeriod)
  }

  /// Adds a decision on the far voice.
  mutating func addFar(isVoice: Bool, frame: Int64) {
    publish(farVoice.add(NearDecision(isVoice: isVoice, isVoiceOrEcho: isVoice, frame: frame)))
  }

  /// Adds a decision on the near voice.
  mutating func addNear(_ decision: NearDecision) {
    publish(nearVoice.add(decision))
    publish(mutedTalker.add(decision))
  }

  /// Reports the ducking gain in dB if the gain has changed.
  mutating func reportDucking(gain: Float, frame: Int64) {
    guard gain != duckingGain else { return }
    duckingGain = gain
    events.publish(RenderEvent(.ducking, frame: frame, value: Double(gain)))
  }

  /// Ends all watches. If somebody is talking according to a watch, this function reports the end
  /// of the talk.
  mutating func reset(frame: Int64) {
    publish(mutedTalker.end(frame: frame))
    publish(nearVoice.end(frame: frame))
    publish(farVoice.end(frame: frame))
    duckingGain = nil
  }

  /// The current voice activity, according to all watches.
  var report: VoiceReport {
    VoiceReport(
      isTalkingWhileMuted: mutedTalker.isTalking, isNearVoiceActive: nearVoice.isTalking,
      isFarVoiceActive: farVoice.isTalking,
      periods: VoicePeriods(mute: mutedTalker.period ?? 0, detection: nearVoice.period ?? 0))
  }

  private func publish(_ event: RenderEvent?) {
    if let event { events.publish(event) }
  }
}
