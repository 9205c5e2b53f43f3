package import HearingDSP

extension VoiceProcessor {
  /// Whether the microphone is muted. Default false. Control side, any thread.
  ///
  /// While muted, the uplink is digital silence after a fade of 15 ms; unmuting fades in over the
  /// same time. A change takes effect within 10 ms of rendered sound. A change before the first
  /// frame applies from the first frame. While muted, the echo canceller keeps adapting, and talk
  /// is still detected: `RenderEvent.Kind.mutedTalker`.
  public var isMuted: Bool {
    get { board.settings.isMuted }
    set { board.change { $0.mute(newValue) } }
  }

  /// Whether the system or the host has muted the microphone. Default false. Control side, any
  /// thread.
  ///
  /// Set this for a mute outside the processor, such as the system's or a headset's, and keep
  /// passing the microphone's sound: the processor then also reports talk during that mute. This
  /// value does not change the uplink.
  public var isMutedElsewhere: Bool {
    get { board.settings.isMutedElsewhere }
    set { board.change { $0.mute(elsewhere: newValue) } }
  }

  /// The processing of the microphone. Default ``MicrophoneMode/linear``. Control side, any thread.
  ///
  /// A change takes effect within 10 ms of sound and cross-fades within 10 ms.
  public var microphoneMode: MicrophoneMode {
    get { board.mode }
    set { board.mode = newValue }
  }

  /// The known properties of the path from the loudspeaker to the microphone. Default: the delay
  /// and the tail of the initializer. Control side, any thread.
  ///
  /// A change of delay or tail takes effect within 10 ms of sound, and the canceller then starts
  /// again.
  public var echoPath: EchoPath {
    get { board.path }
    set { board.path = newValue }
  }

  /// The latency of the uplink in samples with the current ``microphoneMode``: 10 ms if it
  /// suppresses residual echo or noise, otherwise 0. Any thread.
  public var uplinkLatency: Int {
    let mode = board.mode
    let isSpectral = mode.noiseSuppression > 0 || mode.cancelsEcho && mode.suppressesResidualEcho
    return isSpectral ? ShortTimeFrames.latency(sampleRate: sampleRate) : 0
  }

  /// How much other audio is lowered. Control side, any thread.
  ///
  /// A change takes effect within 10 ms of rendered sound. To change one setting while another
  /// thread may change the other, use ``changeOtherAudioDucking(_:)``.
  public var otherAudioDucking: OtherAudioDuckingConfiguration {
    get { board.settings.ducking }
    set { board.change { $0.ducking = newValue } }
  }

  /// Changes ``otherAudioDucking`` without losing concurrent changes. Any thread.
  ///
  /// - Parameter change: Called again if another thread has changed the settings meanwhile; must
  ///   have no side effect.
  public func changeOtherAudioDucking(
    _ change: (inout OtherAudioDuckingConfiguration) -> Void
  ) {
    board.change { change(&$0.ducking) }
  }

  /// Whether voices are reported at both ends, muted or not. Default false. Control side, any
  /// thread.
  ///
  /// It is meant for meters, and for apps that mute by themselves. After it is switched on, no
  /// voice is active until one is detected. Switching it off ends reported talk without an event.
  public var isVoiceActivityDetectionEnabled: Bool {
    get { board.settings.detectsVoiceActivity }
    set { board.change { $0.detectVoiceActivity(newValue) } }
  }

  /// Whether somebody talks into the muted microphone, as of the last block. Any thread, wait-free.
  ///
  /// Always false while neither the processor nor the system mutes the microphone.
  public var isTalkingWhileMuted: Bool {
    let (settings, report) = (board.settings, board.report)
    return settings.isMutedAnywhere && report.periods.mute == settings.periods.mute
      && report.isTalkingWhileMuted
  }

  /// Whether there is a voice at one end, as of the last block, muted or not. Any thread,
  /// wait-free.
  ///
  /// Becomes true after 100 ms of voice and false after 800 ms without voice. Always false unless
  /// ``isVoiceActivityDetectionEnabled``.
  public func isVoiceActive(_ side: VoiceSide) -> Bool {
    let (settings, report) = (board.settings, board.report)
    guard settings.detectsVoiceActivity, report.periods.detection == settings.periods.detection
    else { return false }
    return switch side {
    case .near: report.isNearVoiceActive
    case .far: report.isFarVoiceActive
    }
  }

  /// The gain in dB of other audio at the end of the last block, 0 or less; 0 before the first
  /// block. Any thread, wait-free.
  public var duckingGain: Float { board.duckingGain }

  /// Whether an event belongs to the current period of the mute or of detection.
  ///
  /// An event that was rendered before a settings change may arrive after the change; it is then
  /// stale.
  package func isCurrent(_ event: RenderEvent) -> Bool {
    let settings = board.settings
    return switch event.kind {
    case .mutedTalker: settings.isMutedAnywhere && event.voicePeriod == settings.periods.mute
    case .nearVoice, .farVoice:
      settings.detectsVoiceActivity && event.voicePeriod == settings.periods.detection
    default: true
    }
  }
}
