public import HearingProcessing
public import HearingVoice

/// The settings of a call as parameters, with the applicators that apply them to the processor.
///
///     let call = CallParameters(for: processor)
///     let mode = try await call.microphoneMode.apply(.voiceIsolation).get()
///     let token = call.isMuted.$value.sink { muteButton.isSelected = $0 }
///
/// Like the parameters of a session, they can be observed, applied from any thread, and connected
/// to further applicators, for example one that sets a headset's mute switch. Each parameter starts
/// with the processor's value. Afterwards, change the processor only through these parameters;
/// otherwise they no longer match its state.
///
/// A ``CallBinding`` creates these parameters together with the binding of the listener's preset.
public final class CallParameters: Sendable {
  /// The processing of the microphone: `VoiceProcessor.microphoneMode`.
  public let microphoneMode: ProcessingParameter<MicrophoneMode>

  /// Whether the microphone is muted: `VoiceProcessor.isMuted`.
  public let isMuted: ProcessingParameter<Bool>

  /// Whether the system or the host has muted the microphone: `VoiceProcessor.isMutedElsewhere`.
  public let isMutedElsewhere: ProcessingParameter<Bool>

  /// How far other audio is lowered: `VoiceProcessor.otherAudioDucking`.
  public let duckingLevel: ProcessingParameter<OtherAudioDuckingConfiguration.Level>

  /// Whether ducking follows voices: `VoiceProcessor.otherAudioDucking`.
  public let isAdvancedDuckingEnabled: ProcessingParameter<Bool>

  /// Whether voices are reported at both ends: `VoiceProcessor.isVoiceActivityDetectionEnabled`.
  public let isVoiceActivityDetectionEnabled: ProcessingParameter<Bool>

  /// Retained here, because parameters hold their applicators weakly.
  private let applicators: [any Sendable]

  /// Creates the parameters of a call, with the processor's current values.
  ///
  /// - Parameter processor: Retained.
  public init(for processor: VoiceProcessor) {
    let ducking = processor.otherAudioDucking
    microphoneMode = ProcessingParameter(processor.microphoneMode)
    isMuted = ProcessingParameter(processor.isMuted)
    isMutedElsewhere = ProcessingParameter(processor.isMutedElsewhere)
    duckingLevel = ProcessingParameter(ducking.duckingLevel)
    isAdvancedDuckingEnabled = ProcessingParameter(ducking.enableAdvancedDucking)
    isVoiceActivityDetectionEnabled = ProcessingParameter(processor.isVoiceActivityDetectionEnabled)
    applicators = [
      Self.follow(microphoneMode) { processor.microphoneMode = $0 },
      Self.follow(isMuted) { processor.isMuted = $0 },
      Self.follow(isMutedElsewhere) { processor.isMutedElsewhere = $0 },
      Self.follow(duckingLevel) { level in
        processor.changeOtherAudioDucking { $0.duckingLevel = level }
      },
      Self.follow(isAdvancedDuckingEnabled) { isEnabled in
        processor.changeOtherAudioDucking { $0.enableAdvancedDucking = isEnabled }
      },
      Self.follow(isVoiceActivityDetectionEnabled) {
        processor.isVoiceActivityDetectionEnabled = $0
      },
    ]
  }

  private static func follow<Value: Equatable & Sendable>(
    _ parameter: ProcessingParameter<Value>, _ change: @escaping @Sendable (Value) -> Void
  ) -> ProcessingApplicator<Value> {
    parameter.applicator(at: parameter.value) { value, result in
      change(value)
      result(.success)
    }
  }
}
