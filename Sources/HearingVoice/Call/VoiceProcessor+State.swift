package import HearingDSP

extension VoiceProcessor {
  /// Whether somebody talks into the muted microphone, as of the last block. Any thread, wait-free.
  ///
  /// Always false while the microphone is not muted.
  public var isTalkingWhileMuted: Bool {
    let (settings, report) = (board.settings, board.report)
    return settings.isMuted && report.periods.mute == settings.periods.mute
      && report.isTalkingWhileMuted
  }

  /// Whether there is a voice at one end, as of the last block, whatever the mute. Any thread,
  /// wait-free.
  ///
  /// Always false unless ``isVoiceActivityDetectionEnabled``. It starts after 100 ms of voice and
  /// ends after 800 ms without.
  public func isVoiceActive(_ side: VoiceSide) -> Bool {
    let (settings, report) = (board.settings, board.report)
    guard settings.detectsVoiceActivity, report.periods.detection == settings.periods.detection
    else { return false }
    return switch side {
    case .near: report.isNearVoiceActive
    case .far: report.isFarVoiceActive
    }
  }

  /// The gain in dB with which other audio played at the end of the last block, 0 or less; 0 before
  /// the first. Any thread, wait-free.
  public var duckingGain: Float { board.duckingGain }

  /// Whether an event still belongs to the mute, or the spell of detection, that is in force.
  ///
  /// What was noticed before a change of settings may arrive after it; it is then of no use to
  /// whoever follows the state.
  package func isCurrent(_ event: RenderEvent) -> Bool {
    let settings = board.settings
    return switch event.kind {
    case .mutedTalker: settings.isMuted && event.voicePeriod == settings.periods.mute
    case .nearVoice, .farVoice:
      settings.detectsVoiceActivity && event.voicePeriod == settings.periods.detection
    default: true
    }
  }
}
