import HearingDSP
import HearingVoice
import HearingProcessing

/// The settings of a call as parameters, and the applicators that put them in force.
///
/// They are parameters like those of a session: they can be watched, applied from any thread, and
/// followed by other applicators, such as one that keeps a headphone's own mute in step.
struct CallParameters {
  let isMuted: ProcessingParameter<Bool>
  let duckingLevel: ProcessingParameter<OtherAudioDuckingConfiguration.Level>
  let isAdvancedDuckingEnabled: ProcessingParameter<Bool>

  private let applicators: (Any, Any, Any)

  /// The parameters of a call that `processor` carries, at the values that it has.
  init(for processor: VoiceProcessor) {
    let ducking = processor.otherAudioDucking
    isMuted = ProcessingParameter(processor.isMuted)
    duckingLevel = ProcessingParameter(ducking.duckingLevel)
    isAdvancedDuckingEnabled = ProcessingParameter(ducking.enableAdvancedDucking)
    // Applicators are held weakly by their parameters, and strongly here.
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
