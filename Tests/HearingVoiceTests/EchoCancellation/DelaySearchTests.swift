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
}
