import Foundation
import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class NarrowbandResamplerTests: XCTestCase {
  private let rates: [Double] = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

  /// Resamples `samples` frame by frame, as the detector does.
  private func resampled(_ samples: [Float], rate: Double) -> [Float] {
    let resampler = NarrowbandResampler(sampleRate: rate)
    let tapCount = resampler.tapCount
    let padded = Array(repeating: Float(0), count: tapCount) + samples
    var result: [Float] = []
    var frame = Array(repeating: Float(0), count: NarrowbandResampler.frameLength)
    var begin = 0
    for index in 1... {
      let position = rate * Double(index - 1) / 100
      let end = Int((rate * Double(index) / 100).rounded(.up))
      guard end <= samples.count else { break }
      padded.withUnsafeBufferPointer { buffer in
        frame.withUnsafeMutableBufferPointer { target in
          let (source, target) = (buffer.row, target.row)
          resampler.process(
            source.from(tapCount + begin), length: end - begin, start: position - Double(begin),
            to: target)
        }
      }
      result += frame
      begin = end
    }
    return result
  }

  func test_process_toneInTheBand_keepsItsLevelAndFrequency() {
    for rate in rates {
      for frequency in [200.0, 1_000, 2_900] {
        let tone = Signals.sine(frequency, rate: rate, count: Int(rate * 0.2), amplitude: 0.5)
        let result = resampled(tone, rate: rate)
        let level = Signals.tone(frequency, in: result.dropFirst(160), rate: 8_000)
        XCTAssertEqual(level, 0.5, accuracy: 0.025, "\(rate) Hz, \(frequency) Hz")
        // The output contains only the tone. Therefore there are no gaps between the frames.
        let power = Signals.power(result.dropFirst(160))
        XCTAssertEqual(power, level * level / 2, accuracy: 0.001, "\(rate) Hz, \(frequency) Hz")
      }
    }
  }

  /// In a pure tone, each sample can be computed from the two samples before it.
  func test_process_tone_staysPureAtEveryRate() {
    for rate in rates {
      let tone = Signals.sine(1_000, rate: rate, count: Int(rate * 0.2), amplitude: 0.5)
      let result = Array(resampled(tone, rate: rate).dropFirst(160))
      let factor = Float(2 * cos(2 * Double.pi * 1_000 / 8_000))
      let errors = result.indices.dropFirst(2).map { index in
        result[index] - factor * result[index - 1] + result[index - 2]
      }
      XCTAssertLessThan(Signals.peak(errors), 0.001, "\(rate) Hz")
    }
  }

  func test_process_toneAboveTheBand_isAttenuated() {
    for rate in rates where rate > 11_025 {
      for frequency in [5_200.0, 6_500, 7_500] {
        let tone = Signals.sine(frequency, rate: rate, count: Int(rate * 0.2), amplitude: 0.5)
        let peak = Signals.peak(resampled(tone, rate: rate).dropFirst(160))
        XCTAssertLessThan(peak, 0.5 * 0.02, "\(rate) Hz, \(frequency) Hz")
      }
    }
  }

  func test_process_at8000Hz_passesSamplesUnchanged() {
    var generator = SeededGenerator(seed: 81)
    let noise = Signals.noise(count: 1_600, using: &generator)
    XCTAssertEqual(Signals.bits(resampled(noise, rate: 8_000)), Signals.bits(noise))
  }
}
