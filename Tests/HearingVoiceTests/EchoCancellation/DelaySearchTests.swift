import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class DelaySearchTests: XCTestCase {
  func test_add_delayedNoise_findsTheDelayWithinTwoMilliseconds() throws {
    try XCTSkipIf(Signals.isSanitized, "seconds of sound take too long with a sanitizer")
    var generator = SeededGenerator(seed: 71)
    for rate in [8_000.0, 9_000, 11_025, 16_000, 22_050, 48_000] {
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

  /// After a vowel, only its reverberation remains. The search correlates a section of samples, and
  /// both ends of the section can cause false results. The search must find no echo before the
  /// direct sound or after the reverberation.
  func test_add_vowelsWithPauses_findsOnlyDelaysWithinTheEcho() throws {
    try XCTSkipIf(Signals.isSanitized, "a minute of sound takes too long with a sanitizer")
    let rate = 8_000.0
    for seed in 139...142 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let reference = Signals.sum(
        SyntheticVoice.vowelsWithPauses(count: 240_000, rate: rate),
        Signals.noise(count: 240_000, amplitude: 1e-4, using: &generator))
      var reflections = (0..<1_200).map { index in
        let strength = Float.random(in: -0.1...0.1, using: &generator)
        return (frames: 80 + 2 * index, strength: strength * exp(-Float(index) / 240))
      }
      reflections.append((frames: 80, strength: 0.17))
      let microphone = Signals.sum(
        EchoScene.convolved(reference, reflections),
        Signals.noise(count: 240_000, amplitude: 1e-4, using: &generator))
      var search = DelaySearch(sampleRate: rate)
      var found: Set<Int> = []
      for start in stride(from: 0, to: reference.count, by: 80) {
        microphone[start..<start + 80].withUnsafeBufferPointer { microphone in
          reference[start..<start + 80].withUnsafeBufferPointer { reference in
            search.add(microphone: microphone.row, reference: reference.row, count: 80)
          }
        }
        if let delay = search.delay { found.insert(delay) }
      }
      print("seed \(seed): delays in samples \(found.sorted())")
      for delay in found { XCTAssertTrue((64..<2_500).contains(delay), "seed \(seed): \(delay)") }
    }
  }
}
