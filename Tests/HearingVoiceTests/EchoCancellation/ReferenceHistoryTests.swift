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

  func test_convolve_differenceThatEndsAndBeginsAgain_agreesWithDirectConvolution() {
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
    let padded = Signals.silence(block) + sound
    let paddedDifference = Signals.silence(block) + difference
    let other = OwnedRow<Float>.filled(0, count: 2 * block)
    for number in 0..<12 {
      let range = number * block..<(number + 2) * block
      samples.row.write(padded[range])
      other.row.write(paddedDifference[range])
      history.push(
        samples.row, difference: other.row, energy: 1,
        isDifferent: paddedDifference[range].contains { $0 != 0 }, transform: transform)
    }
    XCTAssertEqual(history.isStereo, isStereo)
    let product = Spectra(stride: plan.stride, count: 1)
    history.convolve(filter, from: 0, to: product)
    transform.inverse(real: product.real.row, imaginary: product.imaginary.row, to: samples.row)
    for index in 0..<block {
      let frame = 11 * block + index
      let taps = plan.partitions * block
      let expected = (0..<taps).reduce(0.0) { sum, tap in
        guard frame >= tap else { return sum }
        return sum + Double(response[tap]) * Double(sound[frame - tap])
          + Double(response[taps + tap]) * Double(difference[frame - tap])
      }
      XCTAssertEqual(Double(samples[block + index]), expected, accuracy: 1e-4, "sample \(index)")
    }
  }
}
