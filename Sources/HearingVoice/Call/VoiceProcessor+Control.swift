package import HearingDSP

extension VoiceProcessor {
  /// Whether the microphone is muted. Default false. Control side, any thread.
  ///
  /// Muting fades the uplink out to digital silence within 15 ms. Unmuting fades the uplink in
  /// within 15 ms. A change takes effect after at most 10 ms of processed audio. A change before
  /// the first frame applies from the first frame. While the microphone is muted, the echo
  /// canceller continues to adapt, and voices are still detected; see
  /// `RenderEvent.Kind.mutedTalker`.
  public var isMuted: Bool {
    get { board.settings.isMuted }
    set { board.change { $0.mute(newValue) } }
  }

  /// Whether the system or the host has muted the microphone. Default false. Control side, any
  /// thread.
  ///
  /// Set this property for a mute outside the processor, such as a mute by the system or by a
  /// headset, and continue to pass the microphone's samples. The processor then also reports talk
  /// during this mute. This property does not change the uplink.
  public var isMutedElsewhere: Bool {
    get { board.settings.isMutedElsewhere }
    set { board.change { $0.mute(elsewhere: newValue) } }
  }

  /// The processing of the microphone. Default ``MicrophoneMode/linear``. Control side, any thread.
  ///
  /// A change takes effect after at most 10 ms of processed audio, and cross-fades within 10 ms.
  public var microphoneMode: MicrophoneMode {
    get { board.mode }
    set { board.mode = newValue }
  }

  /// The known properties of the path from the loudspeaker to the microphone. Default: the delay
  /// and the tail of the initializer. Control side, any thread.
  ///
  /// A change of the delay or the tail takes effect after at most 10 ms of processed audio. It
  /// resets the canceller.
  public var echoPath: EchoPath {
    get { board.path }
    set { board.path = newValue }
  }

  /// The latency of the uplink in samples. It is 10 ms if the current ``microphoneMode`` suppresses
  /// residual echo or noise, otherwise 0. Any thread.
  public var uplinkLatency: Int {
    let mode = board.mode
    let isSpectral = mode.noiseSuppression > 0 || mode.cancelsEcho && mode.suppressesResidualEcho
    return isSpectral ? ShortTimeFrames.latency(sampleRate: sampleRate) : 0
  }

  /// How much other audio is lowered. Control side, any thread.
  ///
  /// A change takes effect after at most 10 ms of processed audio. If another thread may change
  /// this property at the same time, use ``changeOtherAudioDucking(_:)``.
  public var otherAudioDucking: OtherAudioDuckingConfiguration {
    get { board.settings.ducking }
    set { board.change { $0.ducking = newValue } }
  }

  /// Changes ``otherAudioDucking`` without losing concurrent changes. Any thread.
  ///
  /// - Parameter change: Changes the configuration. It is called again if another thread has
  ///   changed the settings in the meantime, so it must not have side effects.
  public func changeOtherAudioDucking(
    _ change: (inout OtherAudioDuckingConfiguration) -> Void
  ) {
    board.change { change(&$0.ducking) }
  }

  /// Whether voices at both ends are reported, even while the microphone is muted. Default false.
  /// Control side, any thread.
  ///
  /// Use this property for meters, and in apps that mute by themselves. When detection is switched
  /// on, no voice is active until a voice is detected. When detection is switched off, active
  /// voices end without an event.
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

  /// Whether there is a voice at one end, as of the last block, even while the microphone is muted.
  /// Any thread, wait-free.
  ///
  /// The value becomes true after 100 ms of voice, and false after 800 ms without voice. It is
  /// always false while ``isVoiceActivityDetectionEnabled`` is false.
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

  /// Whether an event belongs to the current period of the mute or of voice activity detection.
  ///
  /// An event that was rendered before a change of settings may arrive after the change. Such an
  /// event is out of date.
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
