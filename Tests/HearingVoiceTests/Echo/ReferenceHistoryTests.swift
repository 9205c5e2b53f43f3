import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class ReferenceHistoryTests: XCTestCase {
  func test_convolve_agreesWithPlainConvolution() {
    let plan = EchoPlan(sampleRate: 8_000, tail: 0.064)
    let block = plan.block
    let transform = RealTransform(length: 2 * block)
    defer { transform.deallocate() }
    var generator = SeededGenerator(seed: 52)
    let sound = Signals.noise(count: 12 * block, using: &generator)
    let response = Signals.noise(count: plan.partitions * block, using: &generator)
    let filter = Spectra(stride: plan.stride, count: plan.partitions)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * block)
    defer { samples.deallocate() }
    for partition in 0..<plan.partitions {
      samples.initialize(repeating: 0, count: 2 * block)
      samples.update(
        from: Array(response[partition * block..<(partition + 1) * block]), count: block)
      transform.forward(
        samples, real: filter.real + partition * plan.stride,
        imaginary: filter.imaginary + partition * plan.stride)
    }
    var history = ReferenceHistory(plan: plan)
    let padded = Signals.silence(block) + sound
    for number in 0..<12 {
      samples.update(
        from: Array(padded[number * block..<(number + 2) * block]), count: 2 * block)
      history.push(samples, energy: 1, transform: transform)
    }
    let product = Spectra(stride: plan.stride, count: 1)
    history.convolve(filter, from: 0, to: product)
    transform.inverse(real: product.real, imaginary: product.imaginary, to: samples)
    for index in 0..<block {
      let frame = 11 * block + index
      let expected = response.indices.reduce(0.0) { sum, tap in
        frame >= tap ? sum + Double(response[tap]) * Double(sound[frame - tap]) : sum
      }
      XCTAssertEqual(Double(samples[block + index]), expected, accuracy: 1e-4, "sample \(index)")
    }
  }
}
