import Foundation
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class HighPassStageTests: XCTestCase {
  private let rate = 16_000.0

  private func filtered(
    _ samples: [Float], isEnabled: Bool = true, runs: [Int] = [160]
  ) -> [Float] {
    var stage = HighPassStage(sampleRate: rate)
    stage.fade.isOn = isEnabled
    return TestRun.rendered(samples, through: &stage, runs: runs).samples
  }

  func test_process_tonesBelow80Hertz_fallBy12DecibelsPerOctave() {
    for (frequency, expected) in [(20.0, -24.1), (40, -12.3), (80, -3.0), (160, -0.26), (400, 0)] {
      let tone = Signals.sine(frequency, rate: rate, count: 16_000, amplitude: 1)
      let output = filtered(tone)
      let power = Signals.power(output[8_000...])
      XCTAssertEqual(10 * log10(2 * power), expected, accuracy: 0.3, "\(frequency) Hz")
    }
  }

  func test_process_dcOffset_isRemovedWithoutAStep() {
    let output = filtered(Array(repeating: 0.5, count: 1_600))
    for index in 1..<output.count {
      XCTAssertLessThan(abs(output[index] - output[index - 1]), 0.01, "sample \(index)")
    }
    for sample in output[200...] { XCTAssertEqual(sample, 0, accuracy: 1e-6) }
  }

  /// The start of this signal is like the start of a call: there is no cross-fade.
  func test_process_dcOffsetFromTheFirstSample_andAfterAReset_isRemovedWithoutAStep() {
    var stage = HighPassStage(sampleRate: rate)
    stage.fade.isOn = true
    for _ in 0..<2 {
      stage.reset()
      let output = TestRun.rendered(Array(repeating: 0.5, count: 160), through: &stage).samples
      XCTAssertLessThan(Signals.peak(output), 1e-6)
    }
  }

  func test_process_switchedOff_isBitIdenticalToTheInput() {
    var generator = SeededGenerator(seed: 81)
    let noise = Signals.noise(count: 1_000, amplitude: 1, using: &generator)
    XCTAssertEqual(Signals.bits(filtered(noise, isEnabled: false)), Signals.bits(noise))
  }

  func test_process_anyRunLengths_giveTheSameBits() {
    var generator = SeededGenerator(seed: 82)
    let noise = Signals.noise(count: 1_000, amplitude: 1, using: &generator)
    let expected = Signals.bits(filtered(noise))
    for runs in [[1], [7, 64, 33]] {
      XCTAssertEqual(Signals.bits(filtered(noise, runs: runs)), expected)
    }
  }

  func test_process_switchedOnAndOff_makesNoClick() {
    let tone = Signals.sine(300, rate: rate, count: 16_000, amplitude: 0.5)
    var stage = HighPassStage(sampleRate: rate)
    var output: [Float] = []
    for start in stride(from: 0, to: tone.count, by: 160) {
      stage.fade.isOn = start / 1_600 % 2 == 1
      output += TestRun.rendered(Array(tone[start..<start + 160]), through: &stage).samples
    }
    var largest: Float = 0
    for index in 1..<output.count {
      largest = max(largest, abs(output[index] - output[index - 1]))
    }
    // The largest difference between two samples of the tone alone is 0.059.
    XCTAssertLessThan(largest, 0.065)
  }
}
