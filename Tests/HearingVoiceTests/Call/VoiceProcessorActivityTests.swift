import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Tests the detection of the near and the far voice. Also tests the ducking of other audio, which
/// depends on this detection.
final class VoiceProcessorActivityTests: XCTestCase {
  private let rate = 16_000.0

  override func setUpWithError() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
  }

  private var voice: [Float] { SyntheticVoice.speech(seconds: 1, rate: rate) }

  func test_voiceActivityDetection_byDefault_isOff() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    let result = TestCall(frames: 16_000, microphone: voice, farVoice: voice)
      .rendered(by: processor)
    XCTAssertEqual(result.events.map(\.kind), [.ducking])
    XCTAssertFalse(processor.isVoiceActive(.near))
    XCTAssertFalse(processor.isVoiceActive(.far))
  }

  func test_voiceActivityDetection_reportsEachSideSeparately_mutedOrNot() throws {
    for isMuted in [false, true] {
      for side in VoiceSide.allCases {
        let processor = try VoiceProcessor(sampleRate: rate)
        processor.isVoiceActivityDetectionEnabled = true
        processor.isMuted = isMuted
        let sound = Signals.silence(8_000) + voice
        var call = TestCall(
          frames: 48_000, microphone: side == .near ? sound : [],
          farVoice: side == .far ? sound : [])
        var states: [Bool] = []
        call.changes = [
          (20_000, { states = VoiceSide.allCases.map($0.isVoiceActive) })
        ]
        let result = call.rendered(by: processor)
        XCTAssertEqual(result.reported(.voice(side)).map(\.change), [.started, .ended])
        let others = VoiceSide.allCases.filter { $0 != side }
        for other in others { XCTAssertEqual(result.reported(.voice(other)).count, 0) }
        XCTAssertEqual(states, VoiceSide.allCases.map { $0 == side })
        XCTAssertFalse(processor.isVoiceActive(side))
        XCTAssertEqual(
          result.reported(.mutedTalker).count, isMuted && side == .near ? 2 : 0)
      }
    }
  }

  func test_detection_switchedOffAndOnDuringTalk_publishesASecondStart_withoutAnEnd() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.isVoiceActivityDetectionEnabled = true
    var states: [Bool] = []
    var call = TestCall(
      frames: 38_400,
      microphone: Signals.silence(8_000) + SyntheticVoice.speech(seconds: 2.2, rate: rate))
    call.changes = [
      (
        16_000,
        {
          states.append($0.isVoiceActive(.near))
          $0.isVoiceActivityDetectionEnabled = false
          states.append($0.isVoiceActive(.near))
        }
      ),
      (
        24_000,
        {
          $0.isVoiceActivityDetectionEnabled = true
          states.append($0.isVoiceActive(.near))
        }
      ),
    ]
    let reported = call.rendered(by: processor).reported(.nearVoice)
    XCTAssertEqual(reported.map(\.change), [.started, .started])
    XCTAssertEqual(states, [true, false, false])
    XCTAssertTrue(processor.isVoiceActive(.near))
  }

  func test_detection_farVoiceInEitherStereoChannel_isReported() throws {
    for channel in 0..<2 {
      let processor = try VoiceProcessor(sampleRate: rate, farChannelCount: 2)
      processor.isVoiceActivityDetectionEnabled = true
      var call = TestCall(frames: 16_000)
      call.farVoice = [Signals.silence(16_000), Signals.silence(16_000)]
      call.farVoice[channel] = Array((Signals.silence(8_000) + voice).prefix(16_000))
      XCTAssertEqual(call.rendered(by: processor).reported(.farVoice).map(\.change), [.started])
    }
  }

  func test_plainDucking_duringTalkOfBothSides_keepsItsGain() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    let result = TestCall(frames: 48_000, microphone: voice, farVoice: voice)
      .rendered(by: processor)
    XCTAssertEqual(result.duckingGains, [-10])
    XCTAssertEqual(result.events[0].frame, 0)
  }

  func test_advancedDucking_followsTheVoiceOfEitherSide_mutedOrNot() throws {
    for isMuted in [false, true] {
      for side in VoiceSide.allCases {
        let processor = try VoiceProcessor(sampleRate: rate)
        processor.otherAudioDucking = OtherAudioDuckingConfiguration(
          enableAdvancedDucking: true, duckingLevel: .mid)
        processor.isMuted = isMuted
        let sound = Signals.silence(8_000) + voice
        // The ducking gain is measured with other audio. The other audio is too soft to affect the
        // voice detection.
        let result = TestCall(
          frames: 64_000, microphone: side == .near ? sound : [],
          farVoice: side == .far ? sound : [], otherAudio: Array(repeating: 1e-6, count: 64_000)
        ).rendered(by: processor)
        XCTAssertEqual(result.duckingGains, [-3.5, -14, -3.5])
        XCTAssertEqual(processor.duckingGain, -3.5, accuracy: 0.001)
        guard side == .near else { continue }
        let gain = { (frame: Int) in Signals.decibels(Double(result.playback[0][frame]) * 1e6) }
        XCTAssertEqual(gain(7_000), -3.5, accuracy: 0.01)
        XCTAssertEqual(gain(20_000), -14, accuracy: 0.01)
        XCTAssertEqual(gain(63_000), -3.5, accuracy: 0.01)
      }
    }
  }

  func test_otherAudioDucking_changedWhileRunning_changesTheGain() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    var call = TestCall(frames: 48_000, otherAudio: Array(repeating: 1e-6, count: 48_000))
    call.changes = [
      (1_600, { $0.otherAudioDucking.duckingLevel = .max }),
      (8_000, { $0.changeOtherAudioDucking { $0.enableAdvancedDucking = true } }),
    ]
    let result = call.rendered(by: processor)
    XCTAssertEqual(result.duckingGains, [-10, -20, -5])
    let gain = { (frame: Int) in Signals.decibels(Double(result.playback[0][frame]) * 1e6) }
    XCTAssertEqual(gain(1_600), -10, accuracy: 0.01)
    XCTAssertEqual(gain(2_500), -20, accuracy: 0.01)
    XCTAssertEqual(gain(22_000), -5, accuracy: 0.01)
  }

  /// Two threads change the configuration. The second thread writes its change between the read and
  /// the write of the first thread.
  func test_changeOtherAudioDucking_fromTwoThreads_losesNoChange() throws {
    let processor = try VoiceProcessor(sampleRate: rate)
    processor.isMuted = true
    var calls = 0
    processor.changeOtherAudioDucking { configuration in
      calls += 1
      if calls == 1 {
        let other = OtherThread {
          processor.changeOtherAudioDucking { $0.enableAdvancedDucking = true }
          processor.isVoiceActivityDetectionEnabled = true
        }
        other.join()
      }
      configuration.duckingLevel = .max
    }
    XCTAssertEqual(calls, 2)
    XCTAssertEqual(
      processor.otherAudioDucking,
      OtherAudioDuckingConfiguration(enableAdvancedDucking: true, duckingLevel: .max))
    XCTAssertTrue(processor.isMuted)
    XCTAssertTrue(processor.isVoiceActivityDetectionEnabled)
  }
}
