import HearingFitting

/// The ascending method of audiometry for all frequencies and both ears.
///
/// The test of each ear begins with a familiarisation at 1 kHz, which shows whether the listener
/// understands the task. The first tone of the familiarisation has a level of 40 dB HL. After the
/// familiarisation, the threshold at 1 kHz is measured. The frequencies above 1 kHz follow in
/// rising order, then the frequencies below 1 kHz in falling order.
///
/// After the test of the first ear, its threshold at 1 kHz is measured again. If the two
/// measurements at a frequency differ by more than 5 dB, the threshold at the next frequency is
/// also measured again. The result is the better (lower) of the two measured thresholds (ISO
/// 8253-1:2010, 6.2; British Society of Audiology 2018).
///
/// After the tests of both ears, a threshold is measured again with masking if the other ear may
/// have heard the tones. If masking changes a threshold that was measured twice, the comparison of
/// the two measurements is discarded.
///
/// Finally, the procedure checks whether the listener has fallen asleep. If the second ear had no
/// response at its last frequency, the threshold of the first ear at 1 kHz is measured once more.
struct HughsonWestlakeProcedure: Sendable {
  /// One search for one ear and one frequency.
  private struct Task: Sendable, Hashable {
    enum Purpose: Sendable, Hashable {
      case measure
      case repetition
      case masked
    }

    let ear: Ear
    let index: Int
    let purpose: Purpose
  }

  private struct Result: Sendable {
    var outcome: AscendingSearch.Outcome
    var isMasked = false
  }

  private let plan: SearchPlan
  private let rule: AscendingSearch.Rule
  private let model: ResponseModel
  private var tasks: [Task]
  private var search: AscendingSearch?
  private var history = LevelHistory()
  private var results: [Ear: [Int: Result]] = [:]
  private var answers: [ToneAnswer] = []
  private var answersOfTask: [ToneAnswer] = []
  private(set) var repeats: [MeasuredTwice] = []
  private var searchCount = 0
  private var undecidedCount = 0
  private var hasPlannedEnd = false

  init(plan: SearchPlan, rule: AscendingSearch.Rule, model: ResponseModel) {
    self.plan = plan
    self.rule = rule
    self.model = model
    tasks = plan.ears.enumerated().flatMap { number, ear in
      plan.clinicalOrder.map { Task(ear: ear, index: $0, purpose: .measure) }
        + (number == 0 ? [Task(ear: ear, index: plan.middleIndex, purpose: .repetition)] : [])
    }
    begin()
  }

  var request: ToneRequest? {
    guard let task = tasks.first, let search else { return nil }
    return ToneRequest(
      ear: task.ear, index: task.index,
      level: min(search.level, history.cap(task.ear, task.index, in: plan)))
  }

  mutating func learn(_ answer: ToneAnswer) {
    history.note(answer)
    answers.append(answer)
    answersOfTask.append(answer)
    search?.learn(isHeard: answer.isHeard, at: answer.level)
    guard let task = tasks.first, let outcome = search?.outcome else { return }
    finish(task, outcome)
    tasks.removeFirst()
    if tasks.isEmpty { planEnd() }
    begin()
  }

  private mutating func begin() {
    answersOfTask = []
    guard let task = tasks.first else {
      search = nil
      return
    }
    let isFirst = results[task.ear]?.isEmpty ?? true
    // The search starts 10 dB above a known threshold, so that the listener probably hears the
    // first tone. The known threshold is the threshold at this frequency or at the neighbouring
    // frequency.
    let known = results[task.ear]?[task.index] ?? results[task.ear]?[neighbour(of: task)]
    let start: Int
    switch known?.outcome {
    case nil: start = 40
    case .threshold(let level), .undecided(let level): start = level + 10
    case .noResponse: start = plan.limits[task.index]
    }
    search = AscendingSearch(
      from: min(start, history.cap(task.ear, task.index, in: plan)),
      limit: plan.limits[task.index], rule: rule, familiarises: isFirst)
  }

  /// The index of the next test frequency in the direction of 1 kHz.
  private func neighbour(of task: Task) -> Int {
    if task.index > plan.middleIndex { return task.index - 1 }
    if task.index < plan.middleIndex { return task.index + 1 }
    return task.index
  }

  private mutating func finish(_ task: Task, _ outcome: AscendingSearch.Outcome) {
    searchCount += 1
    if case .undecided = outcome { undecidedCount += 1 }
    let threshold = level(outcome, task.index)
    let isMasked = answersOfTask.contains { $0.isMasked && $0.level <= threshold }
    switch task.purpose {
    case .measure:
      results[task.ear, default: [:]][task.index] = Result(outcome: outcome, isMasked: isMasked)
    case .masked:
      // If masking changes the threshold, the comparison of two measurements without masking does
      // not apply to the new threshold.
      if results[task.ear]?[task.index]?.outcome != outcome {
        repeats.removeAll { $0.ear == task.ear && $0.index == task.index }
      }
      results[task.ear, default: [:]][task.index] = Result(outcome: outcome, isMasked: true)
    case .repetition:
      guard let first = results[task.ear]?[task.index] else { return }
      let (before, after) = (level(first.outcome, task.index), level(outcome, task.index))
      repeats.append(
        MeasuredTwice(
          ear: task.ear, index: task.index, first: Double(before), second: Double(after),
          expectedSpread: 5))
      if after < before {
        results[task.ear, default: [:]][task.index] = Result(
          outcome: outcome, isMasked: isMasked || first.isMasked)
      }
      guard abs(after - before) > 5, let following = following(task.index) else { return }
      tasks.insert(Task(ear: task.ear, index: following, purpose: .repetition), at: 1)
    }
  }

  /// The index of the next frequency in the order of the test; nil after the last frequency.
  private func following(_ index: Int) -> Int? {
    let order = plan.clinicalOrder
    guard let position = order.firstIndex(of: index), position + 1 < order.count else { return nil }
    return order[position + 1]
  }

  private func level(_ outcome: AscendingSearch.Outcome, _ index: Int) -> Int {
    switch outcome {
    case .threshold(let level), .undecided(let level): level
    case .noResponse: plan.limits[index]
    }
  }

  private mutating func planEnd() {
    guard !hasPlannedEnd, plan.ears.count == 2 else { return }
    hasPlannedEnd = true
    if plan.isMaskingAvailable {
      tasks = plan.ears.flatMap { ear in
        plan.clinicalOrder.filter { isUncertain(ear, $0) }
          .map { Task(ear: ear, index: $0, purpose: .masked) }
      }
    }
    let last = plan.clinicalOrder.last.flatMap { results[plan.ears[1]]?[$0] }
    let first = results[plan.ears[0]]?[plan.middleIndex]
    if last?.outcome == .noResponse, first?.outcome != .noResponse {
      tasks.append(Task(ear: plan.ears[0], index: plan.middleIndex, purpose: .repetition))
    }
  }

  /// Whether the other ear may have heard the tones that were presented to `ear`.
  private func isUncertain(_ ear: Ear, _ index: Int) -> Bool {
    guard let result = results[ear]?[index], !result.isMasked, result.outcome != .noResponse,
      let other = thresholdLowerBound(ear.other, index)
    else { return false }
    return plan.masking.crossesOver(
      level: Double(level(result.outcome, index)), otherThreshold: other)
  }

  /// A level in dB HL that is probably below the threshold. The level is 5 dB below a measured
  /// threshold. For an ear that is not tested, the level is −10 dB HL. For a tested ear without a
  /// measured threshold, the result is nil.
  func thresholdLowerBound(_ ear: Ear, _ index: Int) -> Double? {
    results[ear]?[index].map { Double(level($0.outcome, index)) - 5 }
      ?? plan.assumedLowerBound(of: ear)
  }

  /// Whether more than half of the searches ended with the outcome `undecided`.
  var isContradictory: Bool { undecidedCount * 2 > searchCount }

  func isStarted(_ ear: Ear) -> Bool { results[ear] != nil }

  func estimate(_ ear: Ear, _ index: Int) -> ThresholdEstimate? {
    guard let result = results[ear]?[index] else { return nil }
    let isUncertain = isUncertain(ear, index)
    let relevant = answers.filter {
      $0.ear == ear && $0.index == index && (!result.isMasked || $0.isMasked || !$0.isHeard)
    }
    let limit = Double(plan.limits[index])
    let distribution = Self.distribution(of: relevant, model: model)
    let threshold = Double(level(result.outcome, index))
    let low = min(distribution.quantile(0.05), threshold)
    let isNoResponse = result.outcome == .noResponse
    let high = isNoResponse ? Audiogram.thresholdRange.upperBound : distribution.quantile(0.95)
    return ThresholdEstimate(
      ear: ear, frequency: plan.frequencies[index], threshold: min(threshold, limit),
      standardDeviation: distribution.standardDeviation,
      interval: low...max(high, threshold), isNoResponse: isNoResponse,
      isMasked: result.isMasked, needsMasking: isUncertain,
      toneCount: answers.count { $0.ear == ear && $0.index == index })
  }

  /// The distribution of the threshold at one frequency, estimated from the answers with a very
  /// wide prior distribution.
  static func distribution(
    of answers: [ToneAnswer], model: ResponseModel
  ) -> ThresholdDistribution {
    var posterior = ThresholdPosterior(mean: [50], covariance: [10_000], model: model)
    for answer in answers { posterior.learn(answer.isHeard, at: 0, level: answer.level) }
    return posterior.distribution(of: 0)
  }
}
