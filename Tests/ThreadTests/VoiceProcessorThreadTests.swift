import Foundation
import HearingDSP
import HearingVoice
import SignalTestSupport
import TestSupport
import XCTest

/// Changes settings on one thread and renders on another thread. The script
/// `Scripts/thread-sanitizer.sh` runs these tests with the thread sanitizer.
final class VoiceProcessorThreadTests: XCTestCase {
  func test_settings_changedWhileAnotherThreadRenders_keepTheValuesLastSet() throws {
    let processor = try VoiceProcessor(sampleRate: 8_000)
    let isFinished = Flag()
    let voice = SyntheticVoice.speech(seconds: 0.1, rate: 8_000)
    @Sendable func makeCall() -> TestCall {
      TestCall(frames: 800, microphone: voice, farVoice: voice, otherAudio: voice)
    }
    let render = Thread {
      let call = makeCall()
      while !isFinished.isSet {
        isFinished.isRunning = true
        _ = call.rendered(by: processor, blocks: [37])
      }
      isFinished.isDone = true
    }
    render.start()
    while !isFinished.isRunning { sched_yield() }
    let levels = OtherAudioDuckingConfiguration.Level.allCases
    var ducking = processor.otherAudioDucking
    for round in 0..<(Signals.isSanitized ? 2_000 : 20_000) {
      processor.isMuted = round % 3 != 0
      processor.changeOtherAudioDucking { $0.enableAdvancedDucking.toggle() }
      processor.otherAudioDucking.duckingLevel = levels[round % 4]
      processor.isVoiceActivityDetectionEnabled = round % 5 != 0
      ducking.enableAdvancedDucking.toggle()
      ducking.duckingLevel = levels[round % 4]
      XCTAssertEqual(processor.isMuted, round % 3 != 0)
      XCTAssertEqual(processor.otherAudioDucking, ducking)
      XCTAssertEqual(processor.isVoiceActivityDetectionEnabled, round % 5 != 0)
      XCTAssertLessThanOrEqual(processor.duckingGain, 0)
      if round % 3 == 0 { XCTAssertFalse(processor.isTalkingWhileMuted) }
      if round % 5 == 0 { XCTAssertFalse(processor.isVoiceActive(.far)) }
    }
    processor.isMuted = true
    isFinished.isSet = true
    while !isFinished.isDone { sched_yield() }
    XCTAssertTrue(processor.isMuted)
    // The setting becomes active after at most 10 ms. The fade then lasts 15 ms.
    let call = makeCall()
    let muted = call.rendered(by: processor).uplink
    XCTAssertEqual(Signals.peak(muted[400...]), 0)
    processor.isMuted = false
    let open = call.rendered(by: processor).uplink
    XCTAssertGreaterThan(Signals.peak(open[400...]), 0)
  }
}
