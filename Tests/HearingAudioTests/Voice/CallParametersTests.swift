import HearingAudio
import HearingProcessing
import HearingVoice
import XCTest

final class CallParametersTests: XCTestCase {
  func test_init_copiesTheProcessorsValues() throws {
    let processor = try VoiceProcessor(sampleRate: 16_000)
    processor.microphoneMode = .voiceIsolation
    processor.isMuted = true
    processor.otherAudioDucking = OtherAudioDuckingConfiguration(
      enableAdvancedDucking: true, duckingLevel: .mid)
    let parameters = CallParameters(for: processor)
    XCTAssertEqual(parameters.microphoneMode.value, .voiceIsolation)
    XCTAssertTrue(parameters.isMuted.value)
    XCTAssertFalse(parameters.isMutedElsewhere.value)
    XCTAssertEqual(parameters.duckingLevel.value, .mid)
    XCTAssertTrue(parameters.isAdvancedDuckingEnabled.value)
    XCTAssertFalse(parameters.isVoiceActivityDetectionEnabled.value)
  }

  func test_apply_anyParameter_changesTheProcessor() throws {
    let processor = try VoiceProcessor(sampleRate: 16_000)
    let parameters = CallParameters(for: processor)
    parameters.microphoneMode.apply(.standard)
    parameters.isMuted.apply(true)
    parameters.isMutedElsewhere.apply(true)
    parameters.duckingLevel.apply(.max)
    parameters.isAdvancedDuckingEnabled.apply(true)
    parameters.isVoiceActivityDetectionEnabled.apply(true)
    let other = try VoiceProcessor(sampleRate: 16_000)
    other.microphoneMode = .standard
    XCTAssertEqual(processor.microphoneMode, other.microphoneMode)
    XCTAssertTrue(processor.isMuted)
    XCTAssertTrue(processor.isMutedElsewhere)
    XCTAssertEqual(
      processor.otherAudioDucking,
      OtherAudioDuckingConfiguration(enableAdvancedDucking: true, duckingLevel: .max))
    XCTAssertTrue(processor.isVoiceActivityDetectionEnabled)
  }
}
