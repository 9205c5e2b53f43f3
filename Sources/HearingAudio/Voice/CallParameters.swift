public import HearingProcessing
public import HearingVoice

/// The settings of a call as parameters. The applicators of the parameters apply the settings to
/// the `VoiceProcessor`.
///
///     let call = CallParameters(for: processor)
///     let mode = try await call.microphoneMode.apply(.voiceIsolation).get()
///     let token = call.isMuted.$value.sink { muteButton.isSelected = $0 }
///
/// Like the parameters of a session, these parameters can be observed and can be applied from any
/// thread. Further applicators can be added, for example an applicator that sets the mute switch of
/// a headset. Each parameter starts with the processor's value. After that, change the processor
/// only through these parameters. Otherwise, the parameters would not match the processor's state.
///
/// A ``CallBinding`` creates these parameters together with the binding of the listener's preset.
public final class CallParameters: Sendable {
  /// The processing of the microphone signal: `VoiceProcessor.microphoneMode`.
  public let microphoneMode: ProcessingParameter<MicrophoneMode>

  /// Whether the microphone is muted: `VoiceProcessor.isMuted`.
  public let isMuted: ProcessingParameter<Bool>

  /// Whether the system or the host has muted the microphone: `VoiceProcessor.isMutedElsewhere`.
  public let isMutedElsewhere: ProcessingParameter<Bool>

  /// How much other audio is attenuated: `VoiceProcessor.otherAudioDucking`.
  public let duckingLevel: ProcessingParameter<OtherAudioDuckingConfiguration.Level>

  /// Whether ducking follows voice activity: `VoiceProcessor.otherAudioDucking`.
  public let isAdvancedDuckingEnabled: ProcessingParameter<Bool>

  /// Whether voice activity is reported for both ends of the call:
  /// `VoiceProcessor.isVoiceActivityDetectionEnabled`.
  public let isVoiceActivityDetectionEnabled: ProcessingParameter<Bool>

  /// The applicators are retained here, because parameters have only weak references to them.
  private let applicators: [any Sendable]

  /// Creates the parameters of a call, with the processor's current values.
  ///
  /// - Parameter processor: The processor of the call. The parameters retain the processor.
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
