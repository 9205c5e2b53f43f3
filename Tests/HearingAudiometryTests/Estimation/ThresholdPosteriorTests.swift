import Foundation
import TestSupport
import XCTest

@testable import HearingAudiometry

final class ThresholdPosteriorTests: XCTestCase {
  private let model = ResponseModel(spread: 4, guesses: 0.02, lapses: 0.02)

  /// The exact posterior of two correlated thresholds, computed as a sum over a grid with steps of
  /// 1 dB.
  private func exact(
    _ answers: [(frequency: Int, level: Int, isHeard: Bool)]
  ) -> (means: [Double], deviations: [Double]) {
    var (sum, first, second) = (0.0, [0.0, 0.0], [0.0, 0.0])
    for a in stride(from: -60.0, through: 140, by: 1) {
      for b in stride(from: -60.0, through: 140, by: 1) {
        // The prior has means of 30 dB, standard deviations of 15 dB, and a correlation of 0.8.
        let (x, y) = ((a - 30) / 15, (b - 30) / 15)
        var weight = exp(-(x * x - 1.6 * x * y + y * y) / (2 * (1 - 0.64)))
        for answer in answers {
          let threshold = answer.frequency == 0 ? a : b
          let p =
            0.02 + 0.96 * 0.5 * erfc(-(Double(answer.level) - threshold) / 4 / 2.0.squareRoot())
          weight *= answer.isHeard ? p : 1 - p
        }
        sum += weight
        first[0] += weight * a
        first[1] += weight * b
        second[0] += weight * a * a
        second[1] += weight * b * b
      }
    }
    let means = first.map { $0 / sum }
    return (means, zip(second, means).map { ($0 / sum - $1 * $1).squareRoot() })
  }

  func test_distribution_ofTwoCorrelatedThresholds_agreesWithExhaustiveCalculation() {
    let answers: [(frequency: Int, level: Int, isHeard: Bool)] = [
      (0, 40, true), (0, 25, false), (0, 32, true), (1, 45, true), (0, 28, false), (1, 30, false),
    ]
    var posterior = ThresholdPosterior(
      mean: [30, 30], covariance: [225, 180, 180, 225], model: model)
    for (index, answer) in answers.enumerated() {
      posterior.learn(answer.isHeard, at: answer.frequency, level: answer.level)
      let (means, deviations) = exact(Array(answers.prefix(index + 1)))
      for frequency in 0...1 {
        let found = posterior.distribution(of: frequency)
        XCTAssertEqual(found.mean, means[frequency], accuracy: 1, "after \(index + 1)")
        XCTAssertEqual(
          found.standardDeviation, deviations[frequency], accuracy: 0.8, "after \(index + 1)")
      }
    }
  }

  func test_answersAtOneFrequency_updateTheNeighbouringThreshold() {
    var posterior = ThresholdPosterior(
      mean: [30, 30], covariance: [225, 180, 180, 225], model: model)
    for _ in 0..<6 { posterior.learn(false, at: 0, level: 60) }
    XCTAssertGreaterThan(posterior.distribution(of: 1).mean, 45)
    XCTAssertLessThan(posterior.distribution(of: 1).standardDeviation, 13)
  }

  func test_randomAnswers_giveFiniteEstimates() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let prior = ThresholdPrior(frequencies: ToneTest.standardFrequencies, listener: nil)
    var mixture = prior.mixture()
    for _ in 0..<60 {
      mixture.learn(
        Bool.random(using: &random), at: .random(in: 0..<11, using: &random),
        level: .random(in: -10...85, using: &random))
    }
    for frequency in 0..<11 {
      let distribution = mixture.distribution(of: frequency)
      XCTAssertTrue((-40...140).contains(distribution.mean))
      XCTAssertTrue((0.4...60).contains(distribution.standardDeviation))
      XCTAssertEqual(distribution.weights.reduce(0, +), 1, accuracy: 1e-9)
    }
  }

  func test_quantiles_increase_andMatchTheirProbability() {
    let prior = ThresholdPrior(frequencies: [1000], listener: nil)
    let distribution = prior.mixture().distribution(of: 0)
    let quantiles = stride(from: 0.05, through: 0.95, by: 0.05).map(distribution.quantile)
    XCTAssertEqual(quantiles, quantiles.sorted())
    XCTAssertEqual(
      distribution.probability(above: distribution.quantile(0.7)), 0.3, accuracy: 0.05)
  }
}
