import HearingDSP
import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class ReferenceHistoryTests: XCTestCase {
  func test_convolve_oneChannel_agreesWithDirectConvolution() {
    let silence = Signals.silence(12 * EchoPlan(sampleRate: 8_000, tail: 0.064).block)
    check(difference: silence, isStereo: false)
  }

  func test_convolve_differentLoudspeakers_agreesWithDirectConvolution() {
    var generator = SeededGenerator(seed: 53)
    let block = EchoPlan(sampleRate: 8_000, tail: 0.064).block
    check(difference: Signals.noise(count: 12 * block, using: &generator), isStereo: true)
  }

  func test_convolve_loudspeakerDifferenceThatEndsAndBeginsAgain_agreesWithDirectConvolution() {
    var generator = SeededGenerator(seed: 54)
    let block = EchoPlan(sampleRate: 8_000, tail: 0.064).block
    let noise = Signals.noise(count: 2 * block, using: &generator)
    check(difference: noise + Signals.silence(10 * block), isStereo: true)
    let again = Signals.silence(9 * block) + Signals.noise(count: block, using: &generator)
    check(difference: noise + again, isStereo: true)
  }

  private func check(difference: [Float], isStereo: Bool) {
    let plan = EchoPlan(sampleRate: 8_000, tail: 0.064)
    let block = plan.block
    let transform = RealTransform(length: 2 * block)
    var generator = SeededGenerator(seed: 52)
    let sound = Signals.noise(count: 12 * block, using: &generator)
    let response = Signals.noise(count: 2 * plan.partitions * block, using: &generator)
    let filter = Spectra(stride: plan.stride, count: 2 * plan.partitions)
    let samples = OwnedRow<Float>.filled(0, count: 2 * block)
    for partition in 0..<2 * plan.partitions {
      samples.row.write(
        response[partition * block..<(partition + 1) * block] + Signals.silence(block))
      transform.forward(
        samples.row, real: filter.real.from(partition * plan.stride),
        imaginary: filter.imaginary.from(partition * plan.stride))
    }
    var history = ReferenceHistory(plan: plan)
    let other = OwnedRow<Float>.filled(0, count: 2 * block)
    for number in 0..<12 {
      let range = number * block..<(number + 1) * block
      samples.row.write(sound[range] + Signals.silence(block))
      other.row.write(difference[range] + Signals.silence(block))
      history.push(samples.row, difference: other.row, transform: transform)
    }
    XCTAssertEqual(history.isStereo, isStereo)
    let product = Spectra(stride: plan.stride, count: 1)
    // The block after the newest block is not known yet. Its samples count as zeros.
    let known = [sound + Signals.silence(block), difference + Signals.silence(block)]
    for ahead in 0...1 {
      history.convolve(filter, ahead: ahead, to: product)
      transform.inverse(real: product.real.row, imaginary: product.imaginary.row, to: samples.row)
      for index in 0..<block {
        let frame = (11 + ahead) * block + index
        let taps = plan.partitions * block
        let expected = (0..<min(taps, frame + 1)).reduce(0.0) { sum, tap in
          sum + Double(response[tap]) * Double(known[0][frame - tap])
            + Double(response[taps + tap]) * Double(known[1][frame - tap])
        }
        XCTAssertEqual(
          Double(samples[block + index]), expected, accuracy: 1e-4,
          "sample \(index), \(ahead) ahead")
      }
    }
  }
}
