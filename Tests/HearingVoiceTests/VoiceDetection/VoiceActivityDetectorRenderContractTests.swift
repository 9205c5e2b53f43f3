import HearingDSP
import HearingVoice
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

final class VoiceActivityDetectorRenderContractTests: XCTestCase {
  override func setUpWithError() throws {
    try XCTSkipUnless(
      real_time_probe_works(), "calls are counted on Linux without a sanitizer only")
    try XCTSkipIf(
      Signals.isDebugBuild,
      "an unoptimised build counts references where a release build does not")
  }

  @inline(never)
  private func countedCalls(
    of detector: inout VoiceActivityDetector, _ samples: UnsafePointer<Float>, frameCount: Int,
    block: Int, state: inout VoiceState, changes: inout Int
  ) -> RealTimeProbeCounts {
    real_time_probe_start()
    var done = 0
    while done < frameCount {
      let count = min(block, frameCount - done)
      detector.process(samples + done, frameCount: count) { decision in
        if state.add(isVoice: decision.isVoice) != nil { changes += 1 }
      }
      done += count
    }
    detector.reset()
    return real_time_probe_stop()
  }

  func test_processAndReset_doNotAllocateLockOrCountReferences() throws {
    for rate in [8_000.0, 11_025, 16_000, 48_000] {
      var talk = SyntheticTalk(seconds: 3, rate: rate, pitch: 120, seed: 64).samples
      for index in 1_000..<1_200 { talk[index] = .nan }
      var detector = try VoiceActivityDetector(sampleRate: rate)
      for block in [1, 64, 480, 4_096] {
        var state = VoiceState()
        var changes = 0
        let counts = talk.withUnsafeBufferPointer { buffer -> RealTimeProbeCounts in
          guard let base = buffer.baseAddress else { return RealTimeProbeCounts() }
          return countedCalls(
            of: &detector, base, frameCount: buffer.count, block: block, state: &state,
            changes: &changes)
        }
        XCTAssertEqual(counts.total, 0, "\(rate) Hz, blocks of \(block): \(counts)")
        XCTAssertGreaterThan(changes, 0)
      }
    }
  }
}
