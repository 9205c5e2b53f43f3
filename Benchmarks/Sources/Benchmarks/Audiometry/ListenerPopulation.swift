import BenchmarkSupport
import Foundation
import HearingAudiometry
import HearingFitting

/// Simulated listeners with which the quality of a test is measured. They have standard audiograms
/// with individual scatter, notches, reverse slopes, asymmetries and ears without hearing (dead
/// ears). They are not drawn from the distribution that ``ToneTestMethod/bayesian`` assumes.
enum ListenerPopulation {
  /// The shapes of audiograms.
  enum Shape: String, Sendable, Hashable, CaseIterable {
    case standard
    case notch
    case reverseSlope = "reverse slope"
    case asymmetry
    case deadEar = "dead ear"
  }

  /// A listener of the population.
  struct Member: Sendable {
    /// The shape of the audiogram.
    let shape: Shape
    /// The true thresholds.
    let profile: HearingProfile
    /// The attenuation in dB of a sound that crosses from one ear to the other.
    let interauralAttenuation: Double

    /// The ears in the order of the test. The left ear is first if it is better by more than 15 dB
    /// on average. Otherwise, the right ear is first.
    var ears: [Ear] {
      guard let left = profile.left, let right = profile.right else { return [.right, .left] }
      let difference = frequencies.reduce(0) {
        $0 + left.threshold(at: $1) - right.threshold(at: $1)
      }
      return difference < -15 * Double(frequencies.count) ? [.left, .right] : [.right, .left]
    }
  }

  private static let frequencies = ToneTest.standardFrequencies
  /// The standard deviations in dB of two random changes. `scatter` is for a change of one
  /// threshold. `levelScatter` is for a common change of all thresholds of a listener.
  private static let scatter = 4.0
  private static let levelScatter = 5.0

  /// Creates the listener with this number.
  static func member(_ number: Int, seed: UInt64) -> Member {
    var random = RandomNumbers(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
    let choice = random.unit()
    let shift = levelScatter * random.normal()
    let shape: Shape
    let better: (Double) -> Double
    var worse: ((Double) -> Double)?
    switch choice {
    case ..<0.4:
      shape = .standard
      let audiogram = standard(&random, of: 10)
      better = { audiogram.threshold(at: $0) }
    case ..<0.6:
      shape = .notch
      let level = random.number(in: 0...20)
      let slope = random.number(in: 0...4)
      let center = random.number(in: octaves(3000)...octaves(6000))
      let depth = random.number(in: 20...50)
      let width = random.number(in: 0.35...0.7)
      better = { frequency in
        let distance = (octaves(frequency) - center) / width
        return level + slope * (octaves(frequency) + 3)
          + depth * exp(-0.5 * distance * distance)
      }
    case ..<0.75:
      shape = .reverseSlope
      let low = random.number(in: 40...65)
      let high = random.number(in: 5...25)
      let middle = random.number(in: octaves(700)...octaves(2500))
      better = { frequency in
        high + (low - high) / (1 + exp(2 * (octaves(frequency) - middle)))
      }
    case ..<0.9:
      shape = .asymmetry
      let audiogram = standard(&random, of: 4)
      let extra = random.number(in: 15...45)
      let isTrebleOnly = random.unit() < 0.5
      better = { audiogram.threshold(at: $0) }
      worse = { frequency in
        let fraction = isTrebleOnly ? min(max((octaves(frequency) + 1) / 2, 0), 1) : 1
        return audiogram.threshold(at: frequency) + extra * fraction
      }
    default:
      shape = .deadEar
      let audiogram = standard(&random, of: 3)
      better = { audiogram.threshold(at: $0) }
      worse = { _ in 118 }
    }
    let first = audiogram(better, shift: shift, &random)
    let second = audiogram(worse ?? better, shift: shift, &random)
    let isLeftBetter = random.unit() < 0.5
    return Member(
      shape: shape,
      profile: HearingProfile(
        left: isLeftBetter ? first : second, right: isLeftBetter ? second : first),
      interauralAttenuation: random.number(in: 42...65))
  }

  private static func standard(_ random: inout RandomNumbers, of count: Int) -> Audiogram {
    Audiogram.standards[Int(random.unit() * Double(count))].audiogram
  }

  private static func audiogram(
    _ shape: (Double) -> Double, shift: Double, _ random: inout RandomNumbers
  ) -> Audiogram {
    let points = frequencies.map { frequency in
      Audiogram.Point(
        frequency: frequency,
        threshold: min(max(shape(frequency) + shift + scatter * random.normal(), -10), 120))
    }
    do {
      return try Audiogram(points: points)
    } catch {
      preconditionFailure("thresholds within the range that make no audiogram: \(error)")
    }
  }

  private static func octaves(_ frequency: Double) -> Double {
    log2(frequency / 1000)
  }
}
