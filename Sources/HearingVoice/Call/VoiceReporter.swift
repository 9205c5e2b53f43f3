internal import HearingDSP

/// Converts voice decisions to events, if the settings request such events.
struct VoiceReporter {
  private let events: RenderEventWriter
  private var mutedTalker = VoiceWatch()
  private var nearVoice = VoiceWatch()
  private var farVoice = VoiceWatch()
  private var periods = VoicePeriods()
  /// The ducking gain in dB that was reported last. Nil before the first report.
  private var duckingGain: Float?

  init(events: RenderEventWriter) {
    self.events = events
  }

  /// Applies settings. If the mute or the voice activity detection has changed, the current watch
  /// ends. If the setting is now on, a new watch starts.
  ///
  /// The function compares the numbers of the periods, not the settings. A setting may have changed
  /// and changed back between two blocks.
  mutating func apply(_ settings: VoiceSettings, isFirst: Bool) {
    if settings.periods.mute != periods.mute || isFirst {
      mutedTalker.end()
      if settings.isMutedAnywhere { mutedTalker.begin() }
    }
    if settings.periods.detection != periods.detection || isFirst {
      nearVoice.end()
      farVoice.end()
      if settings.detectsVoiceActivity {
        nearVoice.begin()
        farVoice.begin()
      }
    }
    periods = settings.periods
  }

  /// Adds a decision on the far voice.
  mutating func addFar(isVoice: Bool, frame: Int64) {
    if let change = farVoice.add(isVoice: isVoice) {
      publish(.farVoice, change, frame, periods.detection)
    }
  }

  /// Adds a decision on the near voice.
  mutating func addNear(_ decision: NearDecision) {
    if let change = nearVoice.add(decision) {
      publish(.nearVoice, change, decision.frame, periods.detection)
    }
    if let change = mutedTalker.add(decision) {
      publish(.mutedTalker, change, decision.frame, periods.mute)
    }
  }

  /// Reports the ducking gain in dB if it has changed.
  mutating func reportDucking(gain: Float, frame: Int64) {
    guard gain != duckingGain else { return }
    duckingGain = gain
    events.publish(RenderEvent(.ducking, frame: frame, value: Double(gain)))
  }

  /// Ends all watches. If a watch has reported the start of talk, its end is reported first.
  mutating func reset(frame: Int64) {
    if mutedTalker.isTalking { publish(.mutedTalker, .ended, frame, periods.mute) }
    if nearVoice.isTalking { publish(.nearVoice, .ended, frame, periods.detection) }
    if farVoice.isTalking { publish(.farVoice, .ended, frame, periods.detection) }
    mutedTalker.end()
    nearVoice.end()
    farVoice.end()
    duckingGain = nil
  }

  /// The state of all watches.
  var report: VoiceReport {
    get {
      var report = VoiceReport()
      report.isTalkingWhileMuted = mutedTalker.isTalking
      report.isNearVoiceActive = nearVoice.isTalking
      report.isFarVoiceActive = farVoice.isTalking
      report.periods = periods
      return report
    }
  }

  private func publish(
    _ kind: RenderEvent.Kind, _ change: VoiceState.Change, _ frame: Int64, _ period: UInt32
  ) {
    events.publish(RenderEvent(kind, frame: frame, change: change, period: period))
  }
}
