import Foundation
import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Runs control and rendering on two threads, for the thread sanitizer (see
/// `Scripts/thread-sanitizer.sh`).
final class VoiceProcessorThreadTests: XCTestCase {
  func test_settings_changedWhileAnotherThreadRenders_haveTheLastValue() throws {
    let processor = try VoiceProcessor(sampleRate: 8_000)
    let isFinished = Flag()
    let render = Thread {
      let voice = SyntheticVoice.speech(seconds: 0.1, rate: 8_000)
      let call = TestCall(frames: 800, microphone: voice, farVoice: voice, otherAudio: voice)
      while !isFinished.isSet {
        isFinished.isRunning = true
        _ = call.rendered(by: processor, blocks: [37])
      }
      isFinished.isDone = true
    }
    render.start()
    while !isFinished.isRunning { sched_yield() }
    let levels = OtherAudioDuckingConfiguration.Level.allCases
    for round in 0..<(Signals.isSanitized ? 2_000 : 20_000) {
      processor.isMuted = round % 3 != 0
      processor.changeOtherAudioDucking { $0.enableAdvancedDucking.toggle() }
      processor.otherAudioDucking.duckingLevel = levels[round % 4]
      processor.isVoiceActivityDetectionEnabled = round % 5 != 0
      XCTAssertLessThanOrEqual(processor.duckingGain, 0)
      if round % 3 == 0 { XCTAssertFalse(processor.isTalkingWhileMuted) }
      if round % 5 == 0 { XCTAssertFalse(processor.isVoiceActive(.far)) }
    }
    processor.isMuted = false
    isFinished.isSet = true
    while !isFinished.isDone { sched_yield() }
    XCTAssertFalse(processor.isMuted)
  }
}
