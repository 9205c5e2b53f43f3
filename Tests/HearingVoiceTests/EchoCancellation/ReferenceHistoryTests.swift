import HearingDSP
import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class ReferenceHistoryTests: XCTestCase {
  func test_convolve_agreesWithPlainConvolution() {
    let plan = EchoPlan(sampleRate: 8_000, tail: 0.064)
    let block = plan.block
    let transform = RealTransform(length: 2 * block)
    var generator = SeededGenerator(seed: 52)
    let sound = Signals.noise(count: 12 * block, using: &generator)
    let response = Signals.noise(count: plan.partitions * block, using: &generator)
    let filter = Spectra(stride: plan.stride, count: plan.partitions)
    let samples = OwnedRow<Float>.filled(0, count: 2 * block)
    for partition in 0..<plan.partitions {
      samples.row.write(
        response[partition * block..<(partition + 1) * block] + Signals.silence(block))
      transform.forward(
        samples.row, real: filter.real.from(partition * plan.stride),
        imaginary: filter.imaginary.from(partition * plan.stride))
    }
    var history = ReferenceHistory(plan: plan)
    let padded = Signals.silence(block) + sound
    for number in 0..<12 {
      samples.row.write(padded[number * block..<(number + 2) * block])
      history.push(samples.row, energy: 1, transform: transform)
    }
    let product = Spectra(stride: plan.stride, count: 1)
    history.convolve(filter, from: 0, to: product)
    transform.inverse(real: product.real.row, imaginary: product.imaginary.row, to: samples.row)
    for index in 0..<block {
      let frame = 11 * block + index
      let expected = response.indices.reduce(0.0) { sum, tap in
        frame >= tap ? sum + Double(response[tap]) * Double(sound[frame - tap]) : sum
      }
      XCTAssertEqual(Double(samples[block + index]), expected, accuracy: 1e-4, "sample \(index)")
    }
  }
}
