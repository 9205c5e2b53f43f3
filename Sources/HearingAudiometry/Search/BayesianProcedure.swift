import HearingFitting

/// The Bayesian search for the thresholds. The search first estimates the thresholds of one ear at
/// all frequencies together, and then the thresholds of the other ear.
///
/// The search for each ear begins with a tone of 1 kHz at 40 dB HL. For each further tone, the
/// procedure chooses the frequency and the level with the maximum expected information about the
/// threshold at this frequency. If a threshold is known with the requested precision, the procedure
/// presents no further tones at this frequency. After the searches for both ears, the procedure
/// examines the responses to the tones for the first ear. The procedure discards a response if the
/// second ear may have heard the tone. If responses were discarded, the procedure continues the
/// search for the first ear with masking. After all searches, the procedure checks the thresholds
/// of the first ear in two ways. First, the procedure measures the threshold at 1 kHz again, and
/// ignores the earlier answers at 1 kHz. Second, the procedure presents a few check tones at other
/// frequencies. The levels of the check tones are slightly above the thresholds. These tones show
/// whether the thresholds have shifted during the test.
///
/// Finally, the procedure revises the first ear. In the revision, the thresholds of the first ear
/// are estimated again from all answers, with a prior that depends on the second ear. If the
/// listener misses a few audible tones, a threshold of the first ear can be wrong. In this case,
/// the threshold often differs from the threshold of the second ear. In the revision, such a
/// threshold becomes uncertain. The procedure presents further tones at the frequency of an
/// uncertain threshold. The second ear is not revised, because the search for the second ear
/// already uses a prior that depends on the first ear.
///
/// The revision was tested with 1,000 simulated listeners who missed 15 % of the audible tones.
/// Without the revision, 32 thresholds had an error of more than 25 dB. Of these 32 thresholds, 28
/// were thresholds of the first ear.
struct BayesianProcedure: Sendable {
  private enum Stage: Sendable, Hashable {
    case search(Ear)
    case masked(Ear)
    case repetition(Ear, tonesLeft: Int)
    case check(Ear, tones: [ToneRequest])
    case revision(Ear)
    case done
  }

  /// The probability that is required for the result "no response". If the listener missed a tone
  /// at the maximum level, the procedure computes the probability that the threshold is above the
  /// maximum level. If this probability is larger than `noResponseProbability`, the procedure
  /// presents no further tones at this frequency.
  private static let noResponseProbability = 0.8
  private static let repetitionTones = 2
  /// The level of the check tones in dB above the threshold.
  private static let checkMargin = 9
  /// The maximum number of check tones.
  private static let checkTones = 5
  /// The check tones test whether all thresholds have shifted by this number of dB during the test.
  private static let shift = 15
  /// The log-likelihood ratio above which ``hasShifted`` is true.
  private static let shiftEvidence = 3.2
  /// The maximum number of tones for one ear in one stage of the procedure.
  private static let toneLimit = 110
  private static let firstLevel = 40
  /// The maximum standard deviation of a threshold in the revision, as a multiple of the requested
  /// precision. With a larger factor, the revision needs fewer tones. For an ordinary listener, the
  /// revision needs 0.6 tones per ear with the factor 1, and 0.3 tones per ear with the factor 1.1.
  /// For listeners who miss 15 % of the audible tones, both factors lead to about the same errors.
  private static let revisionPrecisionFactor = 1.1

  private let plan: SearchPlan
  private let precision: Double
  private let prior: ThresholdPrior
  private var stage: Stage
  private var mixtures: [Ear: ThresholdMixture] = [:]
  private var answers: [ToneAnswer] = []
  private var history = LevelHistory()
  private var tonesInStage = 0
  /// The data of the second measurement at 1 kHz; nil before and after this measurement. `mixture`
  /// is the distribution of the thresholds without the answers of the first measurement at 1 kHz.
  /// `first` is the distribution of the threshold at 1 kHz from the first measurement.
  private var repetition: (mixture: ThresholdMixture, first: ThresholdDistribution)?
  private(set) var repeats: [MeasuredTwice] = []
  private(set) var request: ToneRequest?
  /// True if the precision was not reached in a stage after ``toneLimit`` tones.
  private(set) var isContradictory = false
  /// The natural logarithm of the probability of all answers. The probability of each answer is
  /// computed from the distribution of the threshold before this answer.
  private(set) var logLikelihood = 0.0
  /// The log-likelihood ratios of the answers in the stages `repetition` and `check`. The first
  /// ratio tests for an increase of all thresholds by ``shift``. The second ratio tests for a
  /// decrease by ``shift``. The denominator of both ratios is the probability of the answers for
  /// unchanged thresholds.
  private var evidence = [0.0, 0.0]
  private var checked: ThresholdMixture?
  /// Whether the thresholds have shifted during the test.
  var hasShifted: Bool { evidence.contains { $0 > Self.shiftEvidence } }

  init(plan: SearchPlan, precision: Double, prior: ThresholdPrior) {
    self.plan = plan
    self.precision = precision
    self.prior = prior
    stage = .search(plan.ears[0])
    mixtures[plan.ears[0]] = prior.mixture()
    proceed()
  }

  mutating func learn(_ answer: ToneAnswer) {
    history.note(answer)
    answers.append(answer)
    let known = mixtures[answer.ear]?.logLikelihood ?? 0
    mixtures[answer.ear]?.learn(answer.isHeard, at: answer.index, level: answer.level)
    logLikelihood += (mixtures[answer.ear]?.logLikelihood ?? 0) - known
    tonesInStage += 1
    switch stage {
    case .repetition(let ear, let left):
      weigh(answer)
      repetition?.mixture.learn(answer.isHeard, at: answer.index, level: answer.level)
      stage = .repetition(ear, tonesLeft: left - 1)
    case .check(let ear, let tones):
      weigh(answer)
      stage = .check(ear, tones: Array(tones.dropFirst()))
    case .search, .masked, .revision, .done: break
    }
    proceed()
  }

  /// Finds the next tone, in the current stage or in a later stage.
  private mutating func proceed() {
    while true {
      switch stage {
      case .search(let ear), .masked(let ear), .revision(let ear):
        if tonesInStage == 0, case .search = stage {
          request = ToneRequest(
            ear: ear, index: plan.middleIndex,
            level: min(Self.firstLevel, plan.limits[plan.middleIndex]))
          return
        }
        if let next = mostInformative(in: ear) {
          if tonesInStage < Self.toneLimit {
            request = next
            return
          }
          isContradictory = true
        }
      case .repetition(let ear, let left):
        if left > 0, let next = repetitionTone(in: ear) {
          request = next
          return
        }
        endRepetition(of: ear)
      case .check(_, let tones):
        if let next = tones.first {
          request = next
          return
        }
      case .done:
        request = nil
        return
      }
      stage = nextStage()
      tonesInStage = 0
    }
  }

  private mutating func nextStage() -> Stage {
    switch stage {
    case .search(let ear) where ear == plan.ears[0] && plan.ears.count == 2:
      if let first = mixtures[plan.ears[0]] {
        mixtures[plan.ears[1]] = prior.mixture(after: first)
      }
      return .search(plan.ears[1])
    case .search:
      // The search for the first ear had no masking, because the thresholds of the second ear were
      // not known yet. The search for the second ear already used masking where necessary.
      if plan.ears.count == 2, discardUncertainAnswers(of: plan.ears[0]) {
        return .masked(plan.ears[0])
      }
      return beginRepetition(of: plan.ears[0])
    case .masked(let ear): return beginRepetition(of: ear)
    case .repetition(let ear, _): return .check(ear, tones: checks(of: ear))
    case .check(let ear, _):
      // After a shift or contradictory answers, more tones cannot make the result reliable.
      guard plan.ears.count == 2, !hasShifted, !isContradictory else { return .done }
      revise(ear)
      return .revision(ear)
    case .revision, .done: return .done
    }
  }

  // MARK: Choice of tones

  private func mostInformative(in ear: Ear) -> ToneRequest? {
    guard let mixture = mixtures[ear] else { return nil }
    var best: (information: Double, request: ToneRequest)?
    for index in plan.frequencies.indices {
      let distribution = mixture.distribution(of: index)
      guard !isSettled(distribution, ear, index),
        let candidate = bestTone(ear, index, distribution, mixture)
      else { continue }
      if candidate.information > (best?.information ?? -1) + 1e-9 { best = candidate }
    }
    return best?.request
  }

  /// Whether a frequency needs no further tones in the current stage.
  private func isSettled(_ distribution: ThresholdDistribution, _ ear: Ear, _ index: Int) -> Bool {
    let limit = plan.limits[index]
    let relevant = answers.filter { $0.ear == ear && $0.index == index }
    if relevant.contains(where: { $0.level == limit && !$0.isHeard }) {
      if distribution.probability(above: Double(limit)) > Self.noResponseProbability { return true }
    } else if distribution.quantile(0.5) > Double(limit) {
      return false
    }
    return !relevant.isEmpty && distribution.standardDeviation <= requiredPrecision
  }

  /// The required precision in the current stage, in dB. A threshold with a larger standard
  /// deviation needs further tones.
  private var requiredPrecision: Double {
    if case .revision = stage { return precision * Self.revisionPrecisionFactor }
    return precision
  }

  /// The tone with the maximum expected information, among the allowed tones at one frequency.
  private func bestTone(
    _ ear: Ear, _ index: Int, _ distribution: ThresholdDistribution, _ mixture: ThresholdMixture
  ) -> (information: Double, request: ToneRequest)? {
    let cap = history.cap(ear, index, in: plan)
    let middle = Int(distribution.quantile(0.5).rounded())
    var best: (information: Double, request: ToneRequest)?
    for offset in stride(from: -12, through: 12, by: 3) {
      let level = min(max(middle + offset, SearchPlan.softestLevel), cap)
      let information = mixture.information(of: distribution, level: level)
      if information > (best?.information ?? -1) + 1e-9 {
        best = (information, ToneRequest(ear: ear, index: index, level: level))
      }
    }
    return best
  }

  // MARK: Repetition

  private mutating func beginRepetition(of ear: Ear) -> Stage {
    guard let mixture = mixtures[ear] else { return .done }
    checked = mixture
    let others = answers.filter { $0.ear == ear && $0.index != plan.middleIndex }
    repetition = (
      Self.learned(others, from: prior.mixture()),
      mixture.distribution(of: plan.middleIndex)
    )
    return .repetition(ear, tonesLeft: Self.repetitionTones)
  }

  /// The check tones, at the frequencies whose thresholds have the lowest uncertainty. The level of
  /// each check tone is slightly above the threshold. There is no check tone at 1 kHz.
  private func checks(of ear: Ear) -> [ToneRequest] {
    guard let checked else { return [] }
    let known = plan.frequencies.indices.compactMap { index -> (Double, ToneRequest)? in
      let distribution = checked.distribution(of: index)
      let level = Int(distribution.quantile(0.5).rounded()) + Self.checkMargin
      guard index != plan.middleIndex, level >= SearchPlan.softestLevel,
        level <= history.cap(ear, index, in: plan)
      else { return nil }
      let request = ToneRequest(ear: ear, index: index, level: level)
      return (distribution.standardDeviation, request)
    }
    return known.sorted { $0.0 < $1.0 }.prefix(Self.checkTones).map { $0.1 }
  }

  /// Adds the log-likelihood ratios of an answer to ``evidence``.
  private mutating func weigh(_ answer: ToneAnswer) {
    guard let checked else { return }
    let distribution = checked.distribution(of: answer.index)
    let probability = { (shift: Int) in
      let response = ThresholdMixture.response(
        to: answer.level - shift, distribution, model: checked.model)
      return CMath.logarithm(answer.isHeard ? response : 1 - response)
    }
    let usual = probability(0)
    for (index, shift) in [Self.shift, -Self.shift].enumerated() {
      evidence[index] += probability(shift) - usual
    }
  }

  private func repetitionTone(in ear: Ear) -> ToneRequest? {
    guard let mixture = repetition?.mixture else { return nil }
    let index = plan.middleIndex
    return bestTone(ear, index, mixture.distribution(of: index), mixture)?.request
  }

  private mutating func endRepetition(of ear: Ear) {
    guard let repetition else { return }
    let second = repetition.mixture.distribution(of: plan.middleIndex)
    let limit = Double(plan.limits[plan.middleIndex])
    let spread =
      repetition.first.standardDeviation * repetition.first.standardDeviation
      + second.standardDeviation * second.standardDeviation
    repeats.append(
      MeasuredTwice(
        ear: ear, index: plan.middleIndex, first: min(repetition.first.quantile(0.5), limit),
        second: min(second.quantile(0.5), limit), expectedSpread: spread.squareRoot()))
    self.repetition = nil
  }

  private static func learned(
    _ answers: [ToneAnswer], from mixture: ThresholdMixture
  ) -> ThresholdMixture {
    var mixture = mixture
    for answer in answers {
      mixture.learn(answer.isHeard, at: answer.index, level: answer.level)
    }
    return mixture
  }

  /// Estimates the thresholds of an ear again, with a prior that depends on the other ear.
  ///
  /// The prior must not depend on the answers for `ear`. However, the distribution of the other ear
  /// in ``mixtures`` depends on these answers. Therefore the thresholds of the other ear are first
  /// estimated again, without the answers for `ear`.
  private mutating func revise(_ ear: Ear) {
    let other = Self.learned(answers.filter { $0.ear == ear.other }, from: prior.mixture())
    mixtures[ear] = Self.learned(
      answers.filter { $0.ear == ear }, from: prior.mixture(after: other))
  }

  // MARK: Masking

  /// Whether the listener may have heard a tone with the other ear.
  private func isUncertain(_ answer: ToneAnswer) -> Bool {
    guard answer.isHeard, !answer.isMasked,
      let other = thresholdLowerBound(answer.ear.other, answer.index)
    else { return false }
    return plan.masking.crossesOver(level: Double(answer.level), otherThreshold: other)
  }

  /// Discards the responses to tones that the other ear may have heard. Returns true if a response
  /// was discarded.
  private mutating func discardUncertainAnswers(of ear: Ear) -> Bool {
    let certain = answers.filter { $0.ear != ear || !isUncertain($0) }
    guard plan.isMaskingAvailable, certain.count < answers.count else { return false }
    answers = certain
    mixtures[ear] = Self.learned(
      answers.filter { $0.ear == ear }, from: prior.mixture())
    return true
  }

  // MARK: Estimates

  /// The 5 % quantile of the threshold in dB HL. For an ear that is not tested, the value is −10 dB
  /// HL. For a tested ear without any answer, the value is nil.
  func thresholdLowerBound(_ ear: Ear, _ index: Int) -> Double? {
    guard isStarted(ear) else { return plan.assumedLowerBound(of: ear) }
    return mixtures[ear]?.distribution(of: index).quantile(0.05)
  }

  func isStarted(_ ear: Ear) -> Bool { answers.contains { $0.ear == ear } }

  func isMeasured(_ ear: Ear, _ index: Int) -> Bool {
    mixtures[ear].map { isSettled($0.distribution(of: index), ear, index) } ?? false
  }

  func estimate(_ ear: Ear, _ index: Int) -> ThresholdEstimate? {
    guard isStarted(ear), let distribution = mixtures[ear]?.distribution(of: index) else {
      return nil
    }
    let relevant = answers.filter { $0.ear == ear && $0.index == index }
    let limit = Double(plan.limits[index])
    let isNoResponse =
      relevant.contains { $0.level == plan.limits[index] && !$0.isHeard }
      && distribution.quantile(0.5) > limit - 1
    let high = isNoResponse ? Audiogram.thresholdRange.upperBound : distribution.quantile(0.95)
    let threshold = isNoResponse ? limit : min(distribution.quantile(0.5), limit)
    return ThresholdEstimate(
      ear: ear, frequency: plan.frequencies[index], threshold: threshold,
      standardDeviation: distribution.standardDeviation,
      interval: min(distribution.quantile(0.05), threshold)...max(high, threshold),
      isNoResponse: isNoResponse, isMasked: relevant.contains { $0.isMasked },
      needsMasking: relevant.contains(where: isUncertain), toneCount: relevant.count)
  }
}
