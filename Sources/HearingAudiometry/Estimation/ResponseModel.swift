/// The probability that a listener responds to a tone. The probability depends on the level of the
/// tone relative to the threshold.
///
/// The probability is p = g + (1 − g − l) Φ(d / s). In this equation, d is the level of the tone
/// minus the threshold in dB, and s is the spread of the psychometric function in dB. The value g
/// is the probability of a guess: a response to a tone that the listener does not hear. The value l
/// is the probability of a lapse: no response to an audible tone. Φ is the cumulative standard
/// normal distribution. At the threshold, d is 0 and Φ is 0.5. Each table of this model contains
/// one value for each whole number d in ``differences``.
struct ResponseModel: Sendable {
  /// The values of d in the tables: the level of the tone minus the threshold, in whole dB.
  static let differences = -260...260

  /// The probability that the listener responds, for each value of ``differences``.
  let response: [Double]
  /// The natural logarithm of the probability that the listener responds.
  let logResponse: [Double]
  /// The natural logarithm of the probability that the listener does not respond.
  let logSilence: [Double]
  /// The entropy of the answer in nats (natural units of information), for each value of
  /// ``differences``.
  let entropy: [Double]

  /// Whether the modelled listener is attentive.
  let isAttentive: Bool

  /// The model of a listener who makes few errors.
  static let attentive = ResponseModel(spread: 4, guesses: 0.03, lapses: 0.03)
  /// The model of a listener who makes more errors and has a flatter psychometric function.
  static let inattentive = ResponseModel(
    spread: 9, guesses: 0.05, lapses: 0.12, isAttentive: false)

  /// Creates a model with a spread in dB, and with the probabilities of guesses and lapses.
  init(spread: Double, guesses: Double, lapses: Double, isAttentive: Bool = true) {
    self.isAttentive = isAttentive
    response = Self.differences.map { difference in
      guesses + (1 - guesses - lapses) * CMath.normalProbability(below: Double(difference) / spread)
    }
    logResponse = response.map(CMath.logarithm)
    logSilence = response.map { CMath.logarithm(1 - $0) }
    entropy = response.map { Self.entropy(of: $0) }
  }

  /// The entropy of an answer in nats, if the probability of a response is `p`.
  static func entropy(of p: Double) -> Double {
    guard p > 0, p < 1 else { return 0 }
    return -p * CMath.logarithm(p) - (1 - p) * CMath.logarithm(1 - p)
  }

  /// The index of an entry in the tables of this model. `level` is the level of the tone in dB HL,
  /// -120 to 220. `threshold` is an index in ``ThresholdDistribution/grid``.
  static func tableIndex(_ level: Int, _ threshold: Int) -> Int {
    level - ThresholdDistribution.minimumLevel - ThresholdDistribution.step * threshold
      - differences.lowerBound
  }
}
