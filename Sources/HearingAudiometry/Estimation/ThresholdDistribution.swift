/// The probability distribution of one threshold, on a grid of levels.
struct ThresholdDistribution: Sendable {
  /// The possible thresholds in dB HL.
  static let grid: [Int] = Array(stride(from: minimumLevel, through: 140, by: step))
  static let minimumLevel = -40
  static let step = 2
  /// The levels of ``grid`` as floating-point numbers.
  static let levels: [Double] = grid.map(Double.init)

  let mean: Double
  let standardDeviation: Double
  /// The probability of each level of the grid. The sum of all probabilities is 1.
  let weights: [Double]

  /// Creates a distribution from weights whose sum is 1.
  init(weights: [Double]) {
    self.weights = weights
    var first = 0.0
    var second = 0.0
    let levels = Self.levels
    var index = 0
    while index < levels.count {
      let term = weights[index] * levels[index]
      first += term
      second += term * levels[index]
      index += 1
    }
    mean = first
    standardDeviation = max(second - first * first, 0.25).squareRoot()
  }

  /// A quantile of the distribution in dB HL. With the probability `probability`, the threshold is
  /// below this quantile.
  func quantile(_ probability: Double) -> Double {
    let grid = Self.grid
    var sum = 0.0
    for (index, weight) in weights.enumerated() {
      if sum + weight >= probability {
        // Each level of the grid represents an interval that is one grid step wide. Inside the
        // interval of a level, the probability density is constant.
        let inside = weight > 0 ? (probability - sum) / weight : 0.5
        return Double(grid[index]) + (inside - 0.5) * Double(grid[1] - grid[0])
      }
      sum += weight
    }
    return Double(grid[grid.count - 1])
  }

  /// The probability that the threshold is above a level in dB HL.
  func probability(above level: Double) -> Double {
    var sum = 0.0
    for (index, weight) in weights.enumerated() where Double(Self.grid[index]) > level {
      sum += weight
    }
    return sum
  }
}
