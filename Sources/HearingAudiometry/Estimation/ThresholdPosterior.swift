/// The joint normal distribution of one ear's thresholds at several frequencies, given the answers
/// of the listener.
///
/// A response to a tone depends only on the threshold at the frequency of the tone. The likelihood
/// of a threshold therefore depends only on the answers at the frequency of the threshold. The
/// likelihood of each threshold is stored on a grid of levels. The likelihood need not be a normal
/// distribution. Expectation propagation (Minka 2001) combines the likelihoods with the
/// correlations of the prior. Expectation propagation approximates the likelihood at each frequency
/// by a normal factor. With eleven frequencies, the update after an answer needs about ten
/// microseconds.
struct ThresholdPosterior: Sendable {
  let count: Int
  /// The assumed response model of the listener.
  let model: ResponseModel
  private let priorMean: [Double]
  private let priorCovariance: [Double]
  private(set) var mean: [Double]
  /// The covariance matrix of the thresholds, in row-major order.
  private(set) var covariance: [Double]
  private var sitePrecision: [Double]
  private var siteShift: [Double]
  /// The log-likelihoods of the thresholds. The array contains all levels of the grid for the first
  /// frequency, then for the second frequency, and so on.
  private var logLikelihood: [Double]
  private var isTested: [Bool]

  /// Creates the prior distribution: the distribution before the first answer.
  init(mean: [Double], covariance: [Double], model: ResponseModel) {
    precondition(
      covariance.count == mean.count * mean.count,
      "\(covariance.count) covariances for \(mean.count) frequencies")
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

  /// Updates the distribution with the answer to a tone. The level of the tone is in whole dB HL.
  mutating func learn(_ isHeard: Bool, at frequency: Int, level: Int) {
    let table = isHeard ? model.logResponse : model.logSilence
    let start = frequency * ThresholdDistribution.grid.count
    for index in ThresholdDistribution.grid.indices {
      logLikelihood[start + index] += table[ResponseModel.tableIndex(level, index)]
    }
    isTested[frequency] = true
    refine(frequency)
    for _ in 0..<2 {
      for other in 0..<count where isTested[other] { refine(other) }
    }
  }

  /// Fits the normal factor of one frequency to the likelihood at the same frequency. The factors
  /// of all other frequencies do not change.
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
    var entry = 0
    for first in 0..<count {
      let scaled = factor * column[first]
      var second = 0
      while second < count {
        covariance[entry] -= scaled * column[second]
        entry += 1
        second += 1
      }
    }
  }

  /// The cavity distribution: the distribution of one threshold without the answers at its own
  /// frequency. The result is nil if the calculation gives no valid distribution.
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
    let grid = ThresholdDistribution.levels
    let count = grid.count
    var weights = [Double](repeating: 0, count: count)
    var largest = -Double.infinity
    // The loops in this function use an index. In a debug build, loops over sequences are several
    // times slower.
    var index = 0
    while index < count {
      let distance = grid[index] - cavity.mean
      let weight = logLikelihood[start + index] - 0.5 * distance * distance / cavity.variance
      weights[index] = weight
      if weight > largest { largest = weight }
      index += 1
    }
    var sum = 0.0
    var first = 0.0
    var second = 0.0
    index = 0
    while index < count {
      // A weight below 1e-13 times the largest weight counts as 0.
      let relative = weights[index] - largest
      if relative < -30 {
        weights[index] = 0
      } else {
        let weight = CMath.exponential(relative)
        let value = grid[index]
        weights[index] = weight
        sum += weight
        first += weight * value
        second += weight * value * value
      }
      index += 1
    }
    let mean = first / sum
    index = 0
    while index < count {
      weights[index] /= sum
      index += 1
    }
    return (mean, max(second / sum - mean * mean, 0.25), weights)
  }

  /// The distribution of one threshold on the grid, given all answers.
  func distribution(of frequency: Int) -> ThresholdDistribution {
    let variance = covariance[frequency * count + frequency]
    let cavity = cavity(of: frequency) ?? (mean[frequency], variance)
    let result = marginal(of: frequency, cavity: cavity)
    return ThresholdDistribution(weights: result.weights)
  }
}
