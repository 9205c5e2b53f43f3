import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

/// Compares the network with a simple implementation of the same equations.
final class SpeechNetworkTests: XCTestCase {
  func test_update_randomLevels_agreesWithAReferenceImplementation() {
    let (bands, units) = (SpeechBands.count, SpeechNetwork.unitCount)
    var numbers = FittedSpeechWeights.packed.numbers[...]
    let input = PlainLayer(&numbers, inputs: SpeechBands.inputCount, outputs: units)
    var first = PlainRecurrentLayer(&numbers, inputs: units, units: units)
    var second = PlainRecurrentLayer(&numbers, inputs: units, units: units)
    let output = PlainLayer(&numbers, inputs: 2 * units, outputs: bands)
    XCTAssertTrue(numbers.isEmpty)

    var generator = SeededGenerator(seed: 81)
    var network = SpeechNetwork()
    for frame in 0..<(Signals.isSanitized ? 40 : 200) {
      var levels = (0..<SpeechBands.inputCount).map { _ in
        Float.random(in: -1.5...1.5, using: &generator)
      }
      levels.withUnsafeMutableBufferPointer { levels in
        let start = levels.row
        network.update(levels: start)
      }
      // The padding values after each group of levels have no effect on the result.
      for padding in SpeechBands.count..<SpeechBands.stride {
        levels[padding] = 0
        levels[SpeechBands.stride + padding] = 0
      }
      let seen = input.sums(levels.map(Double.init)).map { tanh($0) }
      first.advance(seen)
      second.advance(first.state)
      let expected = output.sums(first.state + second.state).map { logistic($0) }
      for band in 0..<bands {
        XCTAssertEqual(
          Double(network.gains[band]), expected[band], accuracy: 1e-4, "frame \(frame) band \(band)"
        )
      }
    }
  }

  func test_reset_afterUse_behavesLikeANewInstance() {
    var network = SpeechNetwork()
    var results: [[Float]] = []
    for _ in 0..<2 {
      var levels = [Float](repeating: 0.5, count: SpeechBands.inputCount)
      for _ in 0..<20 {
        levels.withUnsafeMutableBufferPointer { levels in
          let start = levels.row
          network.update(levels: start)
        }
      }
      results.append((0..<SpeechBands.count).map { network.gains[$0] })
      network.reset()
    }
    XCTAssertEqual(results[0], results[1])
  }
}
