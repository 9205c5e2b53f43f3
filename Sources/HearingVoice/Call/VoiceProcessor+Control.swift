package import HearingDSP
internal import HearingBuffers
import Synchronization

extension VoiceProcessor {
  /// Whether the microphone is muted. The default is false. Any thread that does not process audio
  /// may use this property.
  ///
  /// The uplink is the signal for the other end of the call. Muting fades the uplink out to digital
  /// silence within 15 ms. Unmuting fades the uplink in within 15 ms. A fade starts after at most
  /// 10 ms of processed audio. If `isMuted` changes before the first frame, there is no fade. While
  /// the microphone is muted, the echo canceller continues to adapt, and voices are still detected
  /// (see `RenderEvent.Kind.mutedTalker`).
  public var isMuted: Bool {
    get { board[0].settings.value.isMuted }
    set { board[0].settings.change { $0.mute(newValue) } }
  }

  /// Whether the system or the host has muted the microphone. The default is false. Any thread that
  /// does not process audio may use this property.
  ///
  /// Set this property if the microphone is muted outside the processor, for example by the system
  /// or by a headset. While `isMutedElsewhere` is true, the processor reports when somebody talks
  /// into the muted microphone. For these reports, the host must still pass the microphone's
  /// samples to `process`. A change of `isMutedElsewhere` does not change the uplink, which is the
  /// signal for the other end of the call.
  public var isMutedElsewhere: Bool {
    get { board[0].settings.value.isMutedElsewhere }
    set { board[0].settings.change { $0.mute(elsewhere: newValue) } }
  }

  /// The processing of the microphone signal. The default is ``MicrophoneMode/linear``. Any thread
  /// that does not process audio may use this property.
  ///
  /// A change of the mode causes a cross-fade of 10 ms. The cross-fade starts after at most 10 ms
  /// of processed audio. If the new mode has latency, the cross-fade starts 10 ms later.
  public var microphoneMode: MicrophoneMode {
    get { board[0].mode.value }
    set { board[0].mode.value = newValue }
  }

  /// The known properties of the path from the loudspeaker to the microphone. By default, the path
  /// has the delay and the tail that were passed to the initializer. Any thread that does not
  /// process audio may use this property.
  ///
  /// A change of the delay, the tail or ``EchoPath/raisesSuppression`` resets the echo canceller
  /// after at most 10 ms of processed audio. A tail above the tail that was passed to the
  /// initializer counts as that tail. A change of the delay by less than 6 ms may have no effect.
  public var echoPath: EchoPath {
    get { board[0].path.value }
    set { board[0].path.value = newValue }
  }

  /// The latency of the signal for the other end of the call, in samples. The latency is 10 ms if
  /// the current ``microphoneMode`` suppresses residual echo or noise. In all other modes, the
  /// latency is 0. Any thread may read this value.
  public var uplinkLatency: Int {
    let mode = board[0].mode.value
    let isSpectral = mode.noiseSuppression > 0 || mode.cancelsEcho && mode.suppressesResidualEcho
    return isSpectral ? ShortTimeFrames.latency(sampleRate: sampleRate) : 0
  }

  /// Specifies how much other audio, for example music, is lowered during the call. Any thread that
  /// does not process audio may use this property.
  ///
  /// A change applies after at most 10 ms of processed audio. If several threads change this
  /// property, use ``changeOtherAudioDucking(_:)``.
  public var otherAudioDucking: OtherAudioDuckingConfiguration {
    get { board[0].settings.value.ducking }
    set { board[0].settings.change { $0.ducking = newValue } }
  }

  /// Changes ``otherAudioDucking``. If another thread changes the settings at the same time, both
  /// changes are stored. Any thread may call this function.
  ///
  /// - Parameter change: Changes the configuration. If another thread changes the settings at the
  ///   same time, this closure is called again. Therefore the closure must not have side effects.
  public func changeOtherAudioDucking(_ change: (inout OtherAudioDuckingConfiguration) -> Void) {
    board[0].settings.change { change(&$0.ducking) }
  }

  /// Whether voices at both ends are reported, even while the microphone is muted. The default is
  /// false. Any thread that does not process audio may use this property.
  ///
  /// Use this property for level meters, and in apps that mute the microphone without the
  /// processor. When detection is switched on, all voices are initially inactive. When detection is
  /// switched off, active voices become inactive without an event.
  public var isVoiceActivityDetectionEnabled: Bool {
    get { board[0].settings.value.detectsVoiceActivity }
    set { board[0].settings.change { $0.detectVoiceActivity(newValue) } }
  }

  /// Whether somebody talked into the muted microphone at the end of the last block. Any thread may
  /// read this value, and the read is wait-free.
  ///
  /// While the microphone is not muted, the value is false.
  public var isTalkingWhileMuted: Bool {
    let (settings, report) = (board[0].settings.value, board[0].report.value)
    return report.isTalkingWhileMuted && report.periods.mute == settings.mutePeriod
  }

  /// Whether a voice was active on one side of the call when the last block ended. Voices are also
  /// detected while the microphone is muted. Any thread may read this value, and the read is
  /// wait-free.
  ///
  /// A voice becomes active after 100 ms of voice, and inactive after 800 ms without voice. While
  /// ``isVoiceActivityDetectionEnabled`` is false, no voice is active.
  public func isVoiceActive(_ side: VoiceSide) -> Bool {
    let (settings, report) = (board[0].settings.value, board[0].report.value)
    guard report.periods.detection == settings.detectionPeriod else { return false }
    return side == .near ? report.isNearVoiceActive : report.isFarVoiceActive
  }

  /// The gain in dB of other audio, for example music, at the end of the last block. The gain is 0
  /// or less. Before the first block, the gain is 0. Any thread may read this value, and the read
  /// is wait-free.
  public var duckingGain: Float { board[0].duckingGain.load(ordering: .relaxed) }

  /// The report on the echo at the end of the last complete 10 ms frame. Four properties of the
  /// report are updated with each block: `drift`, `lag`, `underruns` and `overruns`. Any thread may
  /// read this value, and the read is wait-free.
  public var echoReport: EchoReport {
    var report = board[0].echo.value
    if link[0].isUncaptured { report.problem = .capturingHasStopped }
    let isStopped = report.problem == .capturingHasStopped || report.problem == .renderingHasStopped
    let drift = link[0].drift.load(ordering: .relaxed)
    let lag = link[0].lag.load(ordering: .relaxed)
    report.drift = isStopped || drift.isNaN ? nil : Double(drift)
    report.lag = lag == 0 ? nil : Double(lag) / sampleRate
    report.underruns = Int(link[0].underruns.load(ordering: .relaxed))
    report.overruns = Int(link[0].overruns.load(ordering: .relaxed))
    return report
  }

  /// Whether an event belongs to the current mute period or detection period.
  ///
  /// An event may be published before a change of the settings, but received after this change.
  /// Such an event is out of date.
  package func isCurrent(_ event: RenderEvent) -> Bool {
    switch event.kind {
    case .mutedTalker: event.voicePeriod == board[0].settings.value.mutePeriod
    case .nearVoice, .farVoice: event.voicePeriod == board[0].settings.value.detectionPeriod
    default: true
    }
  }
}
