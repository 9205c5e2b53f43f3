import HearingDSP
import HearingVoice
import HearingProcessing

/// The settings of a call as parameters, with the applicators that apply them to the processor.
///
/// Like the parameters of a session, they can be observed, applied from any thread, and followed by
/// further applicators, for example one that updates a headphone's mute switch.
struct CallParameters {
  let isMuted: ProcessingParameter<Bool>
  let duckingLevel: ProcessingParameter<OtherAudioDuckingConfiguration.Level>
  let isAdvancedDuckingEnabled: ProcessingParameter<Bool>

  private let applicators: (Any, Any, Any)

  /// The parameters of a call that `processor` renders, with its current values.
  init(for processor: VoiceProcessor) {
    let ducking = processor.otherAudioDucking
    isMuted = ProcessingParameter(processor.isMuted)
    duckingLevel = ProcessingParameter(ducking.duckingLevel)
    isAdvancedDuckingEnabled = ProcessingParameter(ducking.enableAdvancedDucking)
    // Parameters hold their applicators weakly.
    applicators = (
      isMuted.applicator().apply { isMuted, result in
        processor.isMuted = isMuted
        result(.success)
      },
      duckingLevel.applicator().apply { level, result in
        processor.changeOtherAudioDucking { $0.duckingLevel = level }
        result(.success)
      },
      isAdvancedDuckingEnabled.applicator().apply { isEnabled, result in
        processor.changeOtherAudioDucking { $0.enableAdvancedDucking = isEnabled }
        result(.success)
      }
    )
  }
}
