import TestSupport
import XCTest

@testable import HearingVoice

/// The network beside the same equations written plainly.
final class SpeechNetworkTests: XCTestCase {
  /// One layer of sums, from the numbers as they are stored.
  private struct PlainLayer {
    let weights: [Double]
    let biases: [Double]

    /// Takes the next layer's numbers.
    init(_ numbers: inout ArraySlice<Float>, inputs: Int, outputs: Int) {
      weights = numbers.prefix(inputs * outputs).map(Double.init)
      numbers = numbers.dropFirst(inputs * outputs)
      biases = numbers.prefix(outputs).map(Double.init)
      numbers = numbers.dropFirst(outputs)
    }

    func sums(_ inputs: [Double]) -> [Double] {
      biases.indices.map { output in
        inputs.indices.reduce(biases[output]) {
          $0 + inputs[$1] * weights[$1 * biases.count + output]
        }
      }
    }
  }

  private func logistic(_ value: Double) -> Double { 1 / (1 + exp(-value)) }

  private func advanced(_ state: [Double], _ sums: [Double], _ own: [Double]) -> [Double] {
    let count = state.count
    return state.indices.map { unit in
      let update = logistic(sums[unit] + own[unit])
      let reset = logistic(sums[count + unit] + own[count + unit])
      let candidate = tanh(sums[2 * count + unit] + reset * own[2 * count + unit])
      return update * state[unit] + (1 - update) * candidate
    }
  }

  func test_update_randomLevels_isThePlainNetwork() {
    let (bands, units) = (SpeechBands.count, SpeechNetwork.unitCount)
    var numbers = FittedSpeechWeights.numbers[...]
    let input = PlainLayer(&numbers, inputs: bands, outputs: units)
    let recurrent = (0..<4).map { _ in PlainLayer(&numbers, inputs: units, outputs: 3 * units) }
    let output = PlainLayer(&numbers, inputs: 2 * units, outputs: bands)
    XCTAssertTrue(numbers.isEmpty)

    var generator = SeededGenerator(seed: 81)
    var network = SpeechNetwork()
    var first = [Double](repeating: 0, count: units)
    var second = first
    for frame in 0..<200 {
      var levels = (0..<SpeechBands.stride).map { _ in
        Float.random(in: -1.5...1.5, using: &generator)
      }
      levels.withUnsafeMutableBufferPointer { levels in
        guard let start = levels.baseAddress else { return }
        network.update(levels: start)
      }
      let seen = input.sums(levels.prefix(bands).map(Double.init)).map { tanh($0) }
      first = advanced(first, recurrent[0].sums(seen), recurrent[1].sums(first))
      second = advanced(second, recurrent[2].sums(first), recurrent[3].sums(second))
      let expected = output.sums(first + second).map { logistic($0) }
      for band in 0..<bands {
        XCTAssertEqual(
          Double(network.gains[band]), expected[band], accuracy: 1e-4, "frame \(frame) band \(band)"
        )
      }
    }
  }

  func test_reset_afterUse_behavesAsNew() {
    var network = SpeechNetwork()
    var results: [[Float]] = []
    for _ in 0..<2 {
      var levels = [Float](repeating: 0.5, count: SpeechBands.stride)
      for _ in 0..<20 {
        levels.withUnsafeMutableBufferPointer { levels in
          guard let start = levels.baseAddress else { return }
          network.update(levels: start)
        }
      }
      results.append((0..<SpeechBands.count).map { network.gains[$0] })
      network.reset()
    }
    XCTAssertEqual(results[0], results[1])
  }
}
