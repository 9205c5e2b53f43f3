import HearingFitting

/// A running search. The search chooses the next tone and estimates the thresholds.
enum Procedure: Sendable {
  case ascending(HughsonWestlakeProcedure)
  case bayesian(BayesianProcedure)

  /// The next tone; nil when the search has ended.
  var request: ToneRequest? {
    switch self {
    case .ascending(let procedure): procedure.request
    case .bayesian(let procedure): procedure.request
    }
  }

  /// The thresholds that were measured twice.
  var repeats: [MeasuredTwice] {
    switch self {
    case .ascending(let procedure): procedure.repeats
    case .bayesian(let procedure): procedure.repeats
    }
  }

  /// Whether the answers contradict each other too often for a reliable result.
  var isContradictory: Bool {
    switch self {
    case .ascending(let procedure): procedure.isContradictory
    case .bayesian(let procedure): procedure.isContradictory
    }
  }

  /// Whether the thresholds have shifted during the test.
  var hasShifted: Bool {
    switch self {
    case .ascending: false
    case .bayesian(let procedure): procedure.hasShifted
    }
  }

  /// The natural logarithm of the probability of all answers, for a listener who responds to the
  /// tones; nil if the procedure has no model of the answers.
  var logLikelihood: Double? {
    switch self {
    case .ascending: nil
    case .bayesian(let procedure): procedure.logLikelihood
    }
  }

  mutating func learn(_ answer: ToneAnswer) {
    switch self {
    case .ascending(var procedure):
      procedure.learn(answer)
      self = .ascending(procedure)
    case .bayesian(var procedure):
      procedure.learn(answer)
      self = .bayesian(procedure)
    }
  }

  /// The estimate of a threshold; nil if the ear or the frequency was not tested yet.
  func estimate(_ ear: Ear, _ index: Int) -> ThresholdEstimate? {
    switch self {
    case .ascending(let procedure): procedure.estimate(ear, index)
    case .bayesian(let procedure): procedure.estimate(ear, index)
    }
  }

  /// True if a threshold needs no further tones in the current stage of the search.
  func isMeasured(_ ear: Ear, _ index: Int) -> Bool {
    switch self {
    case .ascending(let procedure): procedure.estimate(ear, index) != nil
    case .bayesian(let procedure): procedure.isMeasured(ear, index)
    }
  }

  /// A level in dB HL that is probably below the threshold. For an ear that is not tested, the
  /// level is −10 dB HL. For a tested ear without an estimate, the result is nil.
  func thresholdLowerBound(_ ear: Ear, _ index: Int) -> Double? {
    switch self {
    case .ascending(let procedure): procedure.thresholdLowerBound(ear, index)
    case .bayesian(let procedure): procedure.thresholdLowerBound(ear, index)
    }
  }

  /// Whether the test of an ear has begun.
  func isStarted(_ ear: Ear) -> Bool {
    switch self {
    case .ascending(let procedure): procedure.isStarted(ear)
    case .bayesian(let procedure): procedure.isStarted(ear)
    }
  }
}
