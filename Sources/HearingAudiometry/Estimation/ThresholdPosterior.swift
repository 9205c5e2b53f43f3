/// What is known of the thresholds of one ear at several frequencies: a joint normal distribution,
/// given every answer so far.
///
/// A response depends on the threshold at its own frequency only. So the answers at one frequency
/// make one likelihood over one threshold, held exactly on a grid, and expectation propagation
/// (Minka 2001) with one normal factor for each frequency joins them through the prior's
/// correlations. An update costs some ten microseconds for eleven frequencies.
struct ThresholdPosterior: Sendable {
  let count: Int
  private let model: ResponseModel
  private let priorMean: [Double]
  private let priorCovariance: [Double]
  private(set) var mean: [Double]
  /// Row by row.
  private(set) var covariance: [Double]
  private var sitePrecision: [Double]
  private var siteShift: [Double]
  /// The logarithm of the likelihood on the grid, frequency by frequency.
  private var logLikelihood: [Double]
  private var isTested: [Bool]

  /// Nothing answered yet.
  init(mean: [Double], covariance: [Double], model: ResponseModel) {
    precondition(covariance.count == mean.count * mean.count, "\(covariance.count) covariances")
    count = mean.count
    self.model = model
    priorMean = mean
    priorCovariance = covariance
    self.mean = mean
    self.covariance = covariance
    sitePrecision = Array(repeating: 0, count: count)
    siteShift = Array(repeating: 0, count: count)
    logLikelihood = Array(repeating: 0, count: count * ThresholdDistribution.grid.count)
    isTested = Array(repeating: false, count: count)
  }

  /// The distribution after an answer to a tone of a whole level in dB HL.
  mutating func learn(_ isHeard: Bool, at frequency: Int, level: Int) {
    let table = isHeard ? model.logResponse : model.logSilence
    let start = frequency * ThresholdDistribution.grid.count
    for (index, threshold) in ThresholdDistribution.grid.enumerated() {
      logLikelihood[start + index] += table[ResponseModel.index(level - threshold)]
    }
    isTested[frequency] = true
    refine(frequency)
    for _ in 0..<2 {
      for other in 0..<count where isTested[other] { refine(other) }
    }
  }

  /// Fits the normal factor of a frequency to its likelihood, given all others.
  private mutating func refine(_ frequency: Int) {
    guard let cavity = cavity(of: frequency) else { return }
    let (mean, variance, _) = marginal(of: frequency, cavity: cavity)
    let precision = max(1 / variance - 1 / cavity.variance, 1e-9)
    let shift = mean * (precision + 1 / cavity.variance) - cavity.mean / cavity.variance
    let change = precision - sitePrecision[frequency]
    let shiftChange = shift - siteShift[frequency]
    sitePrecision[frequency] = precision
    siteShift[frequency] = shift
    let row = frequency * count
    let factor = change / (1 + change * covariance[row + frequency])
    let column = (0..<count).map { covariance[row + $0] }
    let step = shiftChange - factor * (self.mean[frequency] + column[frequency] * shiftChange)
    for index in 0..<count { self.mean[index] += column[index] * step }
    for first in 0..<count {
      let scaled = factor * column[first]
      for second in 0..<count { covariance[first * count + second] -= scaled * column[second] }
    }
  }

  /// The distribution of one threshold without its own answers; nil where it is not proper.
  private func cavity(of frequency: Int) -> (mean: Double, variance: Double)? {
    let variance = covariance[frequency * count + frequency]
    let precision = 1 / variance - sitePrecision[frequency]
    guard precision > 1e-9 else { return nil }
    return ((mean[frequency] / variance - siteShift[frequency]) / precision, 1 / precision)
  }

  private func marginal(
    of frequency: Int, cavity: (mean: Double, variance: Double)
  ) -> (mean: Double, variance: Double, weights: [Double]) {
    let start = frequency * ThresholdDistribution.grid.count
    var weights = [Double](repeating: 0, count: ThresholdDistribution.grid.count)
    var largest = -Double.infinity
    for (index, threshold) in ThresholdDistribution.grid.enumerated() {
      let distance = Double(threshold) - cavity.mean
      let weight = logLikelihood[start + index] - 0.5 * distance * distance / cavity.variance
      weights[index] = weight
      largest = max(largest, weight)
    }
    var sum = 0.0
    var first = 0.0
    var second = 0.0
    for (index, threshold) in ThresholdDistribution.grid.enumerated() {
      // Less than 1e-13 of the largest counts as nothing.
      let relative = weights[index] - largest
      let weight = relative < -30 ? 0 : CMath.exponential(relative)
      weights[index] = weight
      let value = Double(threshold)
      sum += weight
      first += weight * value
      second += weight * value * value
    }
    let mean = first / sum
    for index in weights.indices { weights[index] /= sum }
    return (mean, max(second / sum - mean * mean, 0.25), weights)
  }

  /// The distribution of one threshold on the grid, given everything.
  func distribution(of frequency: Int) -> ThresholdDistribution {
    let variance = covariance[frequency * count + frequency]
    let cavity = cavity(of: frequency) ?? (mean[frequency], variance)
    let result = marginal(of: frequency, cavity: cavity)
    return ThresholdDistribution(weights: result.weights)
  }
}
