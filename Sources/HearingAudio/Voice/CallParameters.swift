public import HearingProcessing
public import HearingVoice

/// The settings of a call as parameters. The applicators of the parameters apply the settings to
/// the `VoiceProcessor`.
///
///     let call = CallParameters(for: processor)
///     let mode = try await call.microphoneMode.apply(.voiceIsolation).get()
///     let token = call.isMuted.$value.sinkOnMainActor { muteButton.isSelected = $0 }
///
/// Any thread can observe and apply the parameters of a call, like the parameters of a session. The
/// app can add further applicators, for example an applicator that sets the mute switch of a
/// headset. Each parameter starts with the processor's value. While you use a `CallParameters`,
/// change the processor's settings only through the parameters. A direct change of the processor
/// would not change the parameters.
///
/// Every ``CallBinding`` also creates a `CallParameters`.
public final class CallParameters: Sendable {
  /// The processing of the microphone signal: `VoiceProcessor.microphoneMode`.
  public let microphoneMode: ProcessingParameter<MicrophoneMode>

  /// Whether the microphone is muted: `VoiceProcessor.isMuted`.
  public let isMuted: ProcessingParameter<Bool>

  /// Whether the system or the host has muted the microphone: `VoiceProcessor.isMutedElsewhere`.
  public let isMutedElsewhere: ProcessingParameter<Bool>

  /// How strongly audio other than the far voice is attenuated: `VoiceProcessor.otherAudioDucking`.
  public let duckingLevel: ProcessingParameter<OtherAudioDuckingConfiguration.Level>

  /// Whether ducking follows voice activity: `VoiceProcessor.otherAudioDucking`.
  public let isAdvancedDuckingEnabled: ProcessingParameter<Bool>

  /// Whether voice activity is reported for both ends of the call:
  /// `VoiceProcessor.isVoiceActivityDetectionEnabled`.
  public let isVoiceActivityDetectionEnabled: ProcessingParameter<Bool>

  /// This property retains the applicators, because the parameters have only weak references to the
  /// applicators.
  private let applicators: [any Sendable]

  /// Creates the parameters of a call, with the processor's current values.
  ///
  /// - Parameter processor: The processor of the call. The parameters retain the processor.
  public init(for processor: VoiceProcessor) {
    var applicators: [any Sendable] = []
    func parameter<Value: Equatable & Sendable>(
      _ value: Value, _ change: @escaping @Sendable (Value) -> Void
    ) -> ProcessingParameter<Value> {
      let parameter = ProcessingParameter(value)
      applicators.append(
        parameter.applicator(at: value) { value, result in
          change(value)
          result(.success)
        })
      return parameter
    }
    let ducking = processor.otherAudioDucking
    microphoneMode = parameter(processor.microphoneMode) { processor.microphoneMode = $0 }
    isMuted = parameter(processor.isMuted) { processor.isMuted = $0 }
    isMutedElsewhere = parameter(processor.isMutedElsewhere) { processor.isMutedElsewhere = $0 }
    duckingLevel = parameter(ducking.duckingLevel) { level in
      processor.changeOtherAudioDucking { $0.duckingLevel = level }
    }
    isAdvancedDuckingEnabled = parameter(ducking.enableAdvancedDucking) { isEnabled in
      processor.changeOtherAudioDucking { $0.enableAdvancedDucking = isEnabled }
    }
    isVoiceActivityDetectionEnabled = parameter(processor.isVoiceActivityDetectionEnabled) {
      processor.isVoiceActivityDetectionEnabled = $0
    }
    self.applicators = applicators
  }
}
