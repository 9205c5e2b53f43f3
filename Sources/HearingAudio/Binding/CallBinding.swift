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
/// call are in ``parameters``. Each audio route of the session sets the call's echo path. Releasing
/// the binding does not change the settings of the processors.
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
  ///   - processor: The processor of the call. If the call has a `farProcessor`, the `farProcessor`
  ///     also follows the session.
  ///   - ears: The ear that hears each of the two playback channels.
  ///   - calibration: The sound pressure level of digital full scale, within
  ///     `ProcessorSettings.supportedFullScales`. If nil, the session's latest route supplies the
  ///     calibration.
  ///   - allowsOutputAboveFullScale: Whether playback samples may exceed ±1.0. If samples may
  ///     exceed ±1.0, the limit is the preset's maximum output.
  /// - Returns: The binding. Releasing the binding ends the connection, so retain the binding.
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
