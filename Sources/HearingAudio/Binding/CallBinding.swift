public import HearingDSP
public import HearingFitting
public import HearingProcessing
public import HearingVoice

/// Applies the values of a session to a voice call while the app retains the binding.
///
///     let binding = session.bind(to: voiceProcessor)
///     binding.parameters.isMuted.apply(true)
///
/// The far voice is the voice from the other end of the call. The binding applies the session's
/// `isEnabled`, `intensity`, `preset` and `fineTuning` to the processor of the far voice. The
/// settings of the call are in ``parameters``. The call uses the `EchoPath` of the session's latest
/// audio route. An `EchoPath` describes the echo of the played sound in the microphone. When the
/// binding is released, the settings of the call and of the far voice's processor do not change.
public final class CallBinding: Sendable {
  /// The processor of the call.
  public let processor: VoiceProcessor

  /// The settings of the call.
  public let parameters: CallParameters

  /// The binding of the session to the processor of the far voice. Nil if the call has no processor
  /// for the far voice.
  public let listener: ProcessorBinding?

  private let output: SessionOutput
  private let routeToken: ObservationToken

  init(_ processor: VoiceProcessor, _ session: ProcessingSession, listener: ProcessorBinding?) {
    self.processor = processor
    self.listener = listener
    output = SessionOutput.of(session)
    routeToken = output.follow { processor.echoPath = $0.echoPath }
    parameters = CallParameters(for: processor)
  }
}

extension ProcessingSession {
  /// Applies the values of this session to a voice call while the app retains the returned binding.
  ///
  /// - Parameters:
  ///   - processor: The processor of the call. The values of the session are applied to the
  ///     `farProcessor` of the call. If `farProcessor` is nil, only the `EchoPath` of the session's
  ///     route is applied.
  ///   - ears: For each of the two playback channels, the ear that hears the channel. By default,
  ///     the left ear hears the first channel, and the right ear hears the second channel.
  ///   - calibration: The sound pressure level in dB SPL that an RMS of 1.0 represents. The level
  ///     must be within `ProcessorSettings.supportedFullScales`. If `calibration` is nil, the
  ///     session's latest audio route determines the level.
  ///   - allowsOutputAboveFullScale: Whether playback samples may exceed ±1.0. If
  ///     `allowsOutputAboveFullScale` is true, only the preset's maximum output limits the samples.
  /// - Returns: The binding. Retain the binding, because the session controls the call only while
  ///   the binding exists.
  public func bind(
    to processor: VoiceProcessor, ears: [Ear?]? = nil, calibration: Calibration? = nil,
    allowsOutputAboveFullScale: Bool = false
  ) -> CallBinding {
    CallBinding(
      processor, self,
      listener: processor.farProcessor.map {
        bind(
          to: $0, ears: ears, calibration: calibration,
          allowsOutputAboveFullScale: allowsOutputAboveFullScale)
      })
  }
}
