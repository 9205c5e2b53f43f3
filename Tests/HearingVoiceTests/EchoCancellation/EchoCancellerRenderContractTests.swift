import Foundation
import HearingDSP
import HearingVoice
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

final class EchoCancellerRenderContractTests: XCTestCase {
  override func setUpWithError() throws {
    try XCTSkipUnless(
      real_time_probe_works(), "calls are counted on Linux without a sanitizer only")
    try XCTSkipIf(
      Signals.isDebugBuild,
      "an unoptimised build counts references where a release build does not")
  }

  func test_process_makesNoForbiddenCall() throws {
    var generator = SeededGenerator(seed: 21)
    for rate in [8_000.0, 16_000, 48_000] {
      var scene = EchoScene(rate: rate, seconds: 6, talk: 2..<3, change: 4, using: &generator)
      scene.far[Int(rate)] = .nan
      scene.noise[Int(rate) + 5_000] = .infinity
      var canceller = try EchoCanceller(sampleRate: rate)
      var microphone = scene.microphone
      let counts = microphone.withUnsafeMutableBufferPointer { samples in
        scene.far.withUnsafeBufferPointer { reference -> RealTimeProbeCounts in
          guard let samples = samples.baseAddress, let start = reference.baseAddress else {
            return RealTimeProbeCounts()
          }
          real_time_probe_start()
          var done = 0
          while done < reference.count {
            let count = min(done % 700, reference.count - done) + 1
            canceller.process(
              samples + done, reference: start + done,
              frameCount: min(count, reference.count - done))
            done += count
          }
          canceller.reset()
          return real_time_probe_stop()
        }
      }
      XCTAssertEqual(counts.total, 0, "\(rate) Hz: \(counts)")
    }
  }

  func test_process_speechAndSilence_costTheSame() throws {
    // If there were denormals, silence would take more time than sound.
    var generator = SeededGenerator(seed: 22)
    var scene = EchoScene(rate: 16_000, seconds: 4, using: &generator)
    var canceller = try EchoCanceller(sampleRate: 16_000)
    var times: [Double] = []
    for round in 0..<4 {
      if round == 1 { scene.far = scene.far.map { $0 * 1e-19 } }
      if round == 2 { scene.far = Signals.silence(scene.far.count) }
      var microphone = round == 3 ? Signals.silence(scene.far.count) : scene.microphone
      // The test measures CPU time, because other processes may be running at the same time.
      let before = clock()
      canceller.cancel(&microphone, reference: scene.far)
      times.append(
        Double(clock() - before) / Double(CLOCKS_PER_SEC) * 1e9 / Double(scene.far.count))
    }
    print("speech, far voice at 1e-19, no far voice, silence: \(times) ns per frame")
    for time in times.dropFirst() { XCTAssertLessThan(time, 3 * times[0]) }
  }
}
