import HearingFitting

extension Reliability {
  /// What the answers show about the listener.
  init(
    trials: [ToneTest.Trial], estimate: [ThresholdEstimate], isContradictory: Bool,
    isFinished: Bool,
    repeats: [(measured: Repeat, expectedSpread: Double)]
  ) {
    let silent = trials.filter(\.presentation.isSilent)
    // The wait before each presentation is a silence as well.
    silenceCount = trials.count + silent.count
    falseAlarmCount =
      trials.count { $0.response.pressedInSilence || $0.isEarly }
      + silent.count { $0.response.isHeard && !$0.isEarly }
    let clear = trials.filter { trial in
      guard trial.isScored else { return false }
      let known = estimate.first {
        $0.ear == trial.presentation.ear && $0.frequency == trial.presentation.frequency
      }
      guard let known, !known.isNoResponse else { return false }
      return trial.presentation.level >= known.threshold + Self.clearMargin
    }
    clearToneCount = clear.count
    missedCount = clear.count { !$0.response.isHeard }
    self.repeats = repeats.map(\.measured)
    var concerns: [Concern] = []
    if Self.isTooMany(falseAlarmCount, of: silenceCount) { concerns.append(.falseAlarms) }
    if Self.isTooMany(missedCount, of: clearToneCount) { concerns.append(.missedTones) }
    let differs = repeats.contains {
      abs($0.measured.second - $0.measured.first) > max(12.5, 3.2 * $0.expectedSpread)
    }
    if differs { concerns.append(.repeats) }
    if isContradictory { concerns.append(.contradictions) }
    if isFinished, !trials.isEmpty, !trials.contains(where: \.response.isHeard) {
      concerns.append(.noResponses)
    }
    self.concerns = concerns
  }
}
