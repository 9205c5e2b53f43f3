/// The distribution of the thresholds of one ear, as a weighted mixture of several models.
///
/// Each component of the mixture is a joint normal distribution. If an answer is unlikely according
/// to a component, the weight of this component falls. Some components describe a smooth audiogram,
/// and others describe an audiogram with notches. Therefore the search needs few tones for a smooth
/// audiogram, and more tones for an audiogram with a notch.
struct ThresholdMixture: Sendable {
  private(set) var components: [ThresholdPosterior]
  private(set) var logWeights: [Double]

  init(_ components: [(weight: Double, posterior: ThresholdPosterior)]) {
    self.components = components.map { $0.posterior }
    logWeights = components.map { CMath.logarithm($0.weight) }
  }

  var weights: [Double] {
    let largest = logWeights.max() ?? 0
    let relative = logWeights.map { CMath.exponential($0 - largest) }
    let sum = relative.reduce(0, +)
    return relative.map { $0 / sum }
  }

  /// The natural logarithm of the probability of all learned answers, according to this mixture.
  var logLikelihood: Double {
    let largest = logWeights.max() ?? 0
    return largest + CMath.logarithm(logWeights.reduce(0) { $0 + CMath.exponential($1 - largest) })
  }

  /// The response model of the component with the largest weight.
  var model: ResponseModel {
    let best = logWeights.indices.max { logWeights[$0] < logWeights[$1] } ?? 0
    return components[best].model
  }

  /// Updates the mixture with the answer to a tone. The level of the tone is in whole dB HL.
  mutating func learn(_ isHeard: Bool, at frequency: Int, level: Int) {
    for index in components.indices {
      let response = Self.response(
        to: level, components[index].distribution(of: frequency), model: components[index].model)
      logWeights[index] += CMath.logarithm(isHeard ? response : 1 - response)
      components[index].learn(isHeard, at: frequency, level: level)
    }
  }

  func distribution(of frequency: Int) -> ThresholdDistribution {
    // Components with a weight below 1e-4 are skipped to save time.
    let weights = weights.map { $0 < 1e-4 ? 0 : $0 }
    let sum = weights.reduce(0, +)
    var mixed = [Double](repeating: 0, count: ThresholdDistribution.grid.count)
    for (weight, component) in zip(weights, components) where weight > 0 {
      let componentWeights = component.distribution(of: frequency).weights
      var index = 0
      while index < componentWeights.count {
        mixed[index] += weight / sum * componentWeights[index]
        index += 1
      }
    }
    return ThresholdDistribution(weights: mixed)
  }

  /// The probability of a response to a tone at a level in dB HL.
  static func response(
    to level: Int, _ distribution: ThresholdDistribution, model: ResponseModel
  ) -> Double {
    let (weights, responses) = (distribution.weights, model.response)
    var response = 0.0
    var index = 0
    while index < weights.count {
      let weight = weights[index]
      if weight > 0 { response += weight * responses[ResponseModel.tableIndex(level, index)] }
      index += 1
    }
    return response
  }

  /// The information about the threshold that is expected from the answer to a tone at `level`, in
  /// nats (natural units of information).
  func information(of distribution: ThresholdDistribution, level: Int) -> Double {
    let (weights, responses, entropies) = (distribution.weights, model.response, model.entropy)
    var response = 0.0
    var entropy = 0.0
    var index = 0
    while index < weights.count {
      let weight = weights[index]
      // Most levels of the grid have a weight of 0 and are skipped to save time.
      if weight > 0 {
        let tableIndex = ResponseModel.tableIndex(level, index)
        response += weight * responses[tableIndex]
        entropy += weight * entropies[tableIndex]
      }
      index += 1
    }
    return ResponseModel.entropy(of: response) - entropy
  }
}
