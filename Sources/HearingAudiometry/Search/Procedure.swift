import HearingFitting

/// A method in progress: it chooses the next tone and estimates the thresholds.
enum Procedure: Sendable {
  case ascending(HughsonWestlakeProcedure)
  case bayesian(BayesianProcedure)

  /// The next tone; nil: the search has ended.
  var request: ToneRequest? {
    switch self {
    case .ascending(let procedure): procedure.request
    case .bayesian(let procedure): procedure.request
    }
  }

  /// Thresholds that were measured twice.
  var repeats: [MeasuredTwice] {
    switch self {
    case .ascending(let procedure): procedure.repeats
    case .bayesian(let procedure): procedure.repeats
    }
  }

  /// Whether the answers at most frequencies contradict each other.
  var isContradictory: Bool {
    switch self {
    case .ascending(let procedure): procedure.isContradictory
    case .bayesian(let procedure): procedure.isContradictory
    }
  }

  /// Whether the listener hears differently at the end.
  var hasShifted: Bool {
    switch self {
    case .ascending: false
    case .bayesian(let procedure): procedure.hasShifted
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

  /// A probable lower bound of the ear's threshold in dB HL; nil if nothing is known.
  func thresholdLowerBound(_ ear: Ear, _ index: Int) -> Double? {
    switch self {
    case .ascending(let procedure): procedure.thresholdLowerBound(ear, index)
    case .bayesian(let procedure): procedure.thresholdLowerBound(ear, index)
    }
  }

  /// Whether an ear has been tested at all.
  func isStarted(_ ear: Ear) -> Bool {
    switch self {
    case .ascending(let procedure): procedure.isStarted(ear)
    case .bayesian(let procedure): procedure.isStarted(ear)
    }
  }
}
