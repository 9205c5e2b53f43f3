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

  func test_process_doesNotAllocateLockOrCountReferences() throws {
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
            let frames = min(count, reference.count - done)
            if done < 2 * Int(rate) {
              canceller.process(samples + done, reference: start + done, frameCount: frames)
            } else {
              // There are two loudspeakers. The right loudspeaker plays the signal of the left one
              // with a delay of 10 samples.
              canceller.process(
                samples + done, left: start + done, right: start + done - 10, frameCount: frames)
            }
            done += count
          }
          canceller.reset()
          return real_time_probe_stop()
        }
      }
      XCTAssertEqual(counts.total, 0, "\(rate) Hz: \(counts)")
    }
  }

  func test_process_speechAndSilence_neverUnderflows() throws {
    try XCTSkipUnless(real_time_probe_sees_underflow(), "needs the flags of an x86-64 processor")
    var generator = SeededGenerator(seed: 22)
    let scene = EchoScene(rate: 16_000, seconds: 4, using: &generator)
    let silence = Signals.silence(scene.far.count)
    let quiet = scene.far.map { $0 * 1e-19 }
    let other = Signals.delayed(scene.far, by: 40).map { 0.7 * $0 }
    for isStereo in [false, true] {
      var canceller = try EchoCanceller(sampleRate: 16_000)
      let rounds = [
        ("speech", scene.microphone, scene.far), ("far voice at 1e-19", scene.microphone, quiet),
        ("no far voice", scene.microphone, silence), ("silence", silence, silence),
      ]
      for (name, sound, left) in rounds {
        let right = isStereo && left == scene.far ? other : left
        var underflows = 0
        for start in stride(from: 0, to: sound.count - 160, by: 160) {
          let frames = start..<start + 160
          var microphone = Array(sound[frames])
          let (left, right) = (Array(left[frames]), Array(right[frames]))
          real_time_probe_clear_underflow()
          canceller.process(&microphone, left: left, right: right, frameCount: 160)
          if real_time_probe_has_underflowed() { underflows += 1 }
        }
        print("\(name), \(isStereo ? "stereo" : "mono"): \(underflows) calls underflow")
        XCTAssertEqual(underflows, 0, "\(name), \(isStereo ? "stereo" : "mono")")
      }
    }
  }
}
