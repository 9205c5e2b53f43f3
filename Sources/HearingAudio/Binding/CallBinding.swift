public import HearingDSP
public import HearingFitting
public import HearingProcessing
public import HearingVoice

/// Applies a session's preset and a call's settings to the call while the binding is retained.
///
///     let binding = session.bind(to: voiceProcessor)
///     binding.parameters.isMuted.apply(true)
///
/// The far voice's processor follows the session's `isEnabled`, `intensity` and `preset`. The
/// settings of the call are ``parameters``. The routes of the session set the call's echo path.
/// Releasing the binding does not change the processor.
public final class CallBinding: Sendable {
  /// The processor of the call.
  public let processor: VoiceProcessor

  /// The settings of the call.
  public let parameters: CallParameters

  /// The binding of the far voice's processor; nil if the call has none.
  public let listener: ProcessorBinding?

  private let output: SessionOutput

  init(_ processor: VoiceProcessor, _ session: ProcessingSession, listener: ProcessorBinding?) {
    self.processor = processor
    self.listener = listener
    output = SessionOutput.of(session)
    output.join(processor)
    parameters = CallParameters(for: processor)
  }
}

extension VoiceProcessor: RouteFollowing {
  func enter(_ route: AudioRoute) { echoPath = route.echoPath }
}

extension ProcessingSession {
  /// Makes a call follow this session while the returned binding is retained.
  ///
  /// - Parameters:
  ///   - processor: The call. Its `farProcessor`, if any, follows the session; see
  ///     `bind(to:ears:calibration:allowsOutputAboveFullScale:)`.
  ///   - ears: The ear that hears each of the two channels of playback.
  ///   - calibration: The sound pressure level of digital full scale, within
  ///     `ProcessorSettings.supportedFullScales`. If nil, the calibration of the session's latest
  ///     route.
  ///   - allowsOutputAboveFullScale: Whether playback may exceed ±1.0, up to the preset's maximum
  ///     output.
  /// - Returns: The binding. Retain it: releasing it ends the connection.
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
