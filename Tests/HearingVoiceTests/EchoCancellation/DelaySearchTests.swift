import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class DelaySearchTests: XCTestCase {
  func test_add_delayedNoise_findsTheDelayWithinTwoMilliseconds() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    var generator = SeededGenerator(seed: 71)
    for rate in [8_000.0, 16_000, 48_000] {
      for delay in [0, 0.037, 0.22, 0.48] {
        let frames = Int(delay * rate)
        let reference = Signals.noise(count: Int(2 * rate), amplitude: 0.1, using: &generator)
        let microphone = Signals.silence(frames) + reference.dropLast(frames)
        var search = DelaySearch(sampleRate: rate)
        microphone.withUnsafeBufferPointer { microphone in
          reference.withUnsafeBufferPointer { reference in
            let (heard, played) = (microphone.row, reference.row)
            search.add(microphone: heard, reference: played, count: reference.count)
          }
        }
        XCTAssertEqual(
          Double(search.delay ?? -1_000_000) / rate, delay, accuracy: 0.002, "\(rate) Hz")
      }
    }
  }

  func test_add_unrelatedNoise_findsNoDelay() {
    var generator = SeededGenerator(seed: 72)
    let reference = Signals.noise(count: 80_000, amplitude: 0.1, using: &generator)
    let microphone = Signals.noise(count: 80_000, amplitude: 0.1, using: &generator)
    var search = DelaySearch(sampleRate: 16_000)
    microphone.withUnsafeBufferPointer { microphone in
      reference.withUnsafeBufferPointer { reference in
        let (heard, played) = (microphone.row, reference.row)
        search.add(microphone: heard, reference: played, count: 80_000)
      }
    }
    XCTAssertNil(search.delay)
  }

  /// At the end of a phrase, the echo is softer than the noise of the room.
  func test_add_speechWithPauses_findsNoOtherDelay() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    let rate = 16_000.0
    for seed in [91, 92, 93] as [UInt64] {
      let voice = SyntheticVoice.speech(seconds: 60, rate: rate, seed: seed)
      // In every 1.3 s, the voice fades by 240 dB per second during the last 0.5 s.
      let reference = voice.indices.map { index in
        let time = Double(index % 20_800) / rate
        return voice[index] * Float(pow(10, -max(0, time - 0.8) * 12))
      }
      var generator = SeededGenerator(seed: seed)
      let noise = Signals.noise(count: reference.count, amplitude: 3e-3, using: &generator)
      let microphone = reference.indices.map { index in
        noise[index] + (index < 640 ? 0 : 0.3 * reference[index - 640])
      }
      var search = DelaySearch(sampleRate: rate)
      var found: Set<Int> = []
      for start in stride(from: 0, to: reference.count - 160, by: 160) {
        microphone[start..<start + 160].withUnsafeBufferPointer { microphone in
          reference[start..<start + 160].withUnsafeBufferPointer { reference in
            search.add(microphone: microphone.row, reference: reference.row, count: 160)
          }
        }
        if let delay = search.delay { found.insert(delay) }
      }
      print("seed \(seed): delays in samples \(found.sorted())")
      XCTAssertFalse(found.isEmpty)
      for delay in found { XCTAssertEqual(Double(delay), 640, accuracy: 16) }
    }
  }
}
