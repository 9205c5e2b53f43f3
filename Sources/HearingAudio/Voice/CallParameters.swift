public import HearingProcessing
public import HearingVoice

/// The settings of a voice call. The app can change and observe each setting.
///
/// Each setting is a `ProcessingParameter`. An applicator is an object that passes new values of a
/// parameter to a target. For the parameters of a call, the target is the `VoiceProcessor`.
///
///     let call = CallParameters(for: processor)
///     let mode = try await call.microphoneMode.apply(.voiceIsolation).get()
///     let token = call.isMuted.$value.sinkOnMainActor { muteButton.isSelected = $0 }
///
/// Any thread can observe the parameters and apply new values to the parameters. The app can add
/// further applicators, for example an applicator that sets the mute switch of a headset. The
/// initial value of each parameter is the current setting of the `VoiceProcessor`. While a
/// `CallParameters` exists, change the settings of the `VoiceProcessor` only through the
/// parameters. If the app sets a property of the `VoiceProcessor` directly, the value of the
/// parameter does not change.
///
/// Every ``CallBinding`` also creates a `CallParameters`.
public final class CallParameters: Sendable {
  /// The kind of processing of the microphone signal. The parameter sets
  /// `VoiceProcessor.microphoneMode`.
  public let microphoneMode: ProcessingParameter<MicrophoneMode>

  /// Whether the microphone is muted. The parameter sets `VoiceProcessor.isMuted`.
  public let isMuted: ProcessingParameter<Bool>

  /// Whether the system or the host has muted the microphone. The parameter sets
  /// `VoiceProcessor.isMutedElsewhere`.
  public let isMutedElsewhere: ProcessingParameter<Bool>

  /// How strongly other audio, for example music, is attenuated during the call. The parameter sets
  /// `duckingLevel` of `VoiceProcessor.otherAudioDucking`.
  public let duckingLevel: ProcessingParameter<OtherAudioDuckingConfiguration.Level>

  /// Whether the attenuation of other audio increases while somebody talks. The parameter sets
  /// `enableAdvancedDucking` of `VoiceProcessor.otherAudioDucking`.
  public let isAdvancedDuckingEnabled: ProcessingParameter<Bool>

  /// Whether the `VoiceProcessor` reports when a person at either end of the call talks. The
  /// parameter sets `VoiceProcessor.isVoiceActivityDetectionEnabled`.
  public let isVoiceActivityDetectionEnabled: ProcessingParameter<Bool>

  /// The applicators of all parameters. A parameter has only weak references to its applicators.
  /// Therefore this property retains the applicators.
  private let applicators: [any Sendable]

  /// Creates the parameters of a call. The initial values are the current settings of the
  /// processor.
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
