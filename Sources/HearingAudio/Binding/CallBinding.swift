public import HearingDSP
public import HearingFitting
public import HearingProcessing
public import HearingVoice

/// Makes a call follow a session while the binding is retained.
///
///     let binding = session.bind(to: voiceProcessor)
///     binding.parameters.isMuted.apply(true)
///
/// The far voice is the voice from the other end of the call. The processor of the far voice
/// follows the session's `isEnabled`, `intensity`, `preset` and `fineTuning`. The settings of the
/// call are in ``parameters``. The call uses the echo path of the session's latest audio route.
/// Releasing the binding does not change the settings of the call or of the processor of the far
/// voice.
public final class CallBinding: Sendable {
  /// The processor of the call.
  public let processor: VoiceProcessor

  /// The settings of the call.
  public let parameters: CallParameters

  /// The binding of the processor for the far voice. Nil if the call has no processor for the far
  /// voice.
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
  /// Makes a call follow this session while the returned binding is retained.
  ///
  /// - Parameters:
  ///   - processor: The processor of the call. Its `farProcessor`, if it has one, follows the
  ///     session.
  ///   - ears: For each of the two playback channels, the ear that hears the channel.
  ///   - calibration: The sound pressure level of digital full scale, within
  ///     `ProcessorSettings.supportedFullScales`. If nil, the session's latest route supplies the
  ///     calibration.
  ///   - allowsOutputAboveFullScale: Whether playback samples may exceed ±1.0. If true, only the
  ///     preset's maximum output limits the samples.
  /// - Returns: The binding. Retain the binding, because releasing it ends the connection.
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
