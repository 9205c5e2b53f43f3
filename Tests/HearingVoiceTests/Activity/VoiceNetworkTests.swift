import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class VoiceNetworkTests: XCTestCase {
  func test_score_randomFeatures_agreesWithPlainSum() {
    let network = VoiceNetwork()
    let features = UnsafeMutablePointer<Float>.allocate(capacity: VoiceFeatures.count)
    defer { features.deallocate() }
    let numbers = FittedWeights.numbers.map(Double.init)
    let inputs = VoiceFeatures.count
    var generator = SeededGenerator(seed: 84)
    for _ in 0..<20 {
      let normal = (0..<inputs).map { _ in Double.random(in: -2...2, using: &generator) }
      for input in 0..<inputs {
        features[input] =
          Float(normal[input]) * FittedWeights.deviations[input] + FittedWeights.means[input]
      }
      var logit = numbers[(inputs + 2) * 24]
      for unit in 0..<24 {
        var sum = numbers[inputs * 24 + unit]
        for input in 0..<inputs { sum += numbers[input * 24 + unit] * normal[input] }
        logit += sum / (1 + abs(sum)) * numbers[(inputs + 1) * 24 + unit]
      }
      XCTAssertEqual(Double(network.score(features)), 1 / (1 + exp(-logit)), accuracy: 1e-4)
    }
  }
}
