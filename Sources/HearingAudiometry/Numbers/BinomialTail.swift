/// The probability of a count of events.
enum BinomialTail {
  /// The probability of at least `count` events in `trials`, each of probability `share`.
  static func probability(of count: Int, orMoreIn trials: Int, share: Double) -> Double {
    guard count > 0 else { return 1 }
    guard count <= trials else { return 0 }
    var term = CMath.power(1 - share, Double(trials))
    var below = term
    for index in 1..<max(count, 1) {
      term *= Double(trials - index + 1) / Double(index) * share / (1 - share)
      below += term
    }
    return max(0, 1 - below)
  }
}
