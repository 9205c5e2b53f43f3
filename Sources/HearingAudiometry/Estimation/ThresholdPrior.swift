import HearingFitting

/// The prior distribution of the thresholds: the distribution before the first answer.
///
/// Each model of the prior describes the thresholds as a sum of five functions of frequency. The
/// five functions are a mean, a random level, a random slope, a smooth random curve, and an
/// independent random value at each frequency. All random terms have a normal distribution. The
/// prior is a mixture of several models. The first model describes a smooth audiogram. In the first
/// model, the variance of the thresholds is larger above 2 kHz than below 2 kHz. The second model
/// describes an audiogram with notches and steep edges at any frequency. If the other ear was
/// tested before, a third model describes an audiogram that is similar to the audiogram of the
/// other ear.
///
/// The parameters of the models are round numbers that agree with published statistics of
/// audiograms. Two published spreads were used. The first is the spread of the thresholds at one
/// frequency. The second is the spread of the difference between the thresholds at two frequencies
/// that are half an octave apart. The sources are ISO 7029:2017 and the collections of audiograms
/// that Cox & de Vries (2021) use. The parameters were not fitted to data of listeners.
///
/// Each audiogram model is combined with two response models. The first response model describes an
/// attentive listener. The second response model describes a listener with a flatter psychometric
/// function and more errors. The answers determine the weights of the combinations.
struct ThresholdPrior: Sendable {
  /// The parameters of a covariance function. `length` is a correlation length in octaves. `level`,
  /// `slope`, `smooth` and `rough` are standard deviations in dB. `slope` is in dB per octave.
  private struct Kernel {
    let level: Double
    let slope: Double
    let smooth: Double
    let length: Double
    let rough: Double
    /// The relative increase of the standard deviations `smooth` and `rough` from low to high
    /// frequencies. For example, 0.5 is an increase by 50 %. At 2 kHz, half of the increase is
    /// reached.
    let treble: Double
  }

  private static let smooth = Kernel(
    level: 22, slope: 7, smooth: 10, length: 1, rough: 3.5, treble: 0.5)
  private static let notched = Kernel(
    level: 22, slope: 7, smooth: 16, length: 0.6, rough: 5, treble: 0)
  private static let earDifference = Kernel(
    level: 5, slope: 2, smooth: 4, length: 1, rough: 4, treble: 0)
  private static let smoothWeight = 0.6
  private static let similarEarsWeight = 0.6

  let frequencies: [Double]
  private let mean: [Double]

  /// Creates the prior at `frequencies` in Hz. `listener` is nil if the age or the sex of the
  /// listener is unknown.
  init(frequencies: [Double], listener: AgeRelatedHearing?) {
    self.frequencies = frequencies
    let audiogram = listener?.audiogram
    mean = frequencies.map { frequency in
      audiogram?.threshold(at: frequency) ?? 25 + 5 * Self.octaves(frequency)
    }
  }

  /// The response models of an attentive and of an inattentive listener, with the prior probability
  /// of each model.
  private static let listeners: [(model: ResponseModel, weight: Double)] = [
    (.attentive, 0.83), (.inattentive, 0.17),
  ]

  /// The prior distribution for an ear, without knowledge of the other ear.
  func mixture() -> ThresholdMixture {
    ThresholdMixture(
      Self.listeners.flatMap { unrelated(weight: $0.weight, model: $0.model) })
  }

  /// The prior distribution for an ear, based on the distribution of the other ear.
  func mixture(after other: ThresholdMixture) -> ThresholdMixture {
    let weights = other.weights
    guard let best = weights.indices.max(by: { weights[$0] < weights[$1] }) else {
      return mixture()
    }
    let known = other.components[best]
    let covariance = zip(known.covariance, covariance(Self.earDifference)).map(+)
    // The probability that the listener is attentive, estimated from the answers for the other ear.
    let attentive = zip(weights, other.components).reduce(0) {
      $0 + ($1.1.model.isAttentive ? $1.0 : 0)
    }
    return ThresholdMixture(
      Self.listeners.flatMap { model, _ in
        let probability = model.isAttentive ? attentive : 1 - attentive
        let weight = min(max(probability, 0.1), 0.9)
        let similar = ThresholdPosterior(mean: known.mean, covariance: covariance, model: model)
        return unrelated(weight: weight * (1 - Self.similarEarsWeight), model: model)
          + [(weight * Self.similarEarsWeight, similar)]
      })
  }

  private func unrelated(
    weight: Double, model: ResponseModel
  ) -> [(weight: Double, posterior: ThresholdPosterior)] {
    [(Self.smooth, Self.smoothWeight), (Self.notched, 1 - Self.smoothWeight)].map {
      kernel, kernelWeight in
      (
        weight * kernelWeight,
        ThresholdPosterior(mean: mean, covariance: covariance(kernel), model: model)
      )
    }
  }

  private func covariance(_ kernel: Kernel) -> [Double] {
    let positions = frequencies.map(Self.octaves)
    let factors = positions.map { position in
      1 + kernel.treble / (1 + CMath.exponential(-3 * (position - 1)))
    }
    return positions.indices.flatMap { first in
      positions.indices.map { second in
        let distance = (positions[first] - positions[second]) / kernel.length
        let curve =
          kernel.smooth * kernel.smooth * CMath.exponential(-0.5 * distance * distance)
        let independent = first == second ? kernel.rough * kernel.rough : 0
        let linear =
          kernel.level * kernel.level
          + kernel.slope * kernel.slope * positions[first] * positions[second]
        return linear + factors[first] * factors[second] * (curve + independent)
      }
    }
  }

  /// The distance of a frequency from 1 kHz in octaves; positive above 1 kHz.
  private static func octaves(_ frequency: Double) -> Double {
    CMath.binaryLogarithm(frequency / 1000)
  }
}
