import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

/// Compares the network with a simple implementation of the same equations.
final class VoiceNetworkTests: XCTestCase {
  /// The score of each frame. A frame consists of features.
  private func scores(_ network: inout VoiceNetwork, _ frames: [[Float]]) -> [Float] {
    frames.map { frame in
      var features = frame
      return features.withUnsafeMutableBufferPointer { features in
        network.score(features.row)
      }
    }
  }

  /// Random features in two forms. The normal form has a mean of 0 and a standard deviation of 1.
  /// The raw form is the input of the network.
  private func randomFrames(_ count: Int, seed: UInt64) -> (raw: [[Float]], normal: [[Double]]) {
    var generator = SeededGenerator(seed: seed)
    let normal = (0..<count).map { _ in
      (0..<VoiceFeatures.count).map { _ in Double.random(in: -2...2, using: &generator) }
    }
    let raw = normal.map { frame in
      frame.enumerated().map { input, value in
        Float(value) * FittedWeights.deviations[input] + FittedWeights.means[input]
      }
    }
    return (raw, normal)
  }

  func test_score_randomFeatures_agreesWithAReferenceImplementation() {
    let (inputs, units) = (VoiceFeatures.count, VoiceNetwork.unitCount)
    var numbers = FittedWeights.packed.numbers[...]
    let input = PlainLayer(&numbers, inputs: inputs, outputs: units)
    var recurrent = PlainRecurrentLayer(&numbers, inputs: units, units: units)
    let output = PlainLayer(&numbers, inputs: units, outputs: 1)
    XCTAssertTrue(numbers.isEmpty)
    let frames = randomFrames(200, seed: 84)
    var network = VoiceNetwork()
    for (index, score) in scores(&network, frames.raw).enumerated() {
      recurrent.advance(input.sums(frames.normal[index]).map { $0 / (1 + abs($0)) })
      let expected = logistic(output.sums(recurrent.state)[0])
      XCTAssertEqual(Double(score), expected, accuracy: 2e-4, "frame \(index)")
    }
  }

  func test_reset_afterUse_behavesLikeANewInstance() {
    let frames = randomFrames(50, seed: 85).raw
    var network = VoiceNetwork()
    let first = scores(&network, frames)
    network.reset()
    XCTAssertEqual(scores(&network, frames), first)
  }
}
