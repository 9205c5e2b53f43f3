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
/// a headset. Each parameter starts with the processor's value. After that, change the processor's
/// settings only through these parameters. Otherwise, the parameters and the processor would have
/// different values.
///
/// A ``CallBinding`` also creates these parameters.
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

  /// The applicators are retained here, because parameters have only weak references to them.
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
