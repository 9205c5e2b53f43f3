/// Probabilities of the binomial distribution.
enum BinomialTail {
  /// The probability that at least `count` events occur in `trials` independent trials.
  static func probability(of count: Int, orMoreIn trials: Int, eventProbability: Double) -> Double {
    guard count > 0 else { return 1 }
    guard count <= trials else { return 0 }
    var term = CMath.power(1 - eventProbability, Double(trials))
    var below = term
    for index in 1..<max(count, 1) {
      term *= Double(trials - index + 1) / Double(index) * eventProbability / (1 - eventProbability)
      below += term
    }
    return max(0, 1 - below)
  }
}
