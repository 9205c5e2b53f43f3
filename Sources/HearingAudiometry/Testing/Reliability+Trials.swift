import HearingFitting

extension Reliability {
  /// Computes the reliability of a test from the answers and the estimates.
  init(
    trials: [ToneTest.Trial], estimate: [ThresholdEstimate], isContradictory: Bool,
    hasShifted: Bool,
    isFinished: Bool,
    repeats: [(measured: Repeat, expectedSpread: Double)]
  ) {
    let silent = trials.filter { $0.presentation.isSilent }
    // The wait before each presentation also counts as a silent interval.
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
    // Without a response, nothing was measured.
    let repeats = repeats.filter { repetition in
      trials.contains {
        $0.response.isHeard && !$0.isEarly && !$0.presentation.isSilent
          && $0.presentation.ear == repetition.measured.ear
          && $0.presentation.frequency == repetition.measured.frequency
      }
    }
    self.repeats = repeats.map { $0.measured }
    var concerns: [MeasurementRecord.Note] = []
    if Self.isTooMany(falseAlarmCount, of: silenceCount)
      || Self.hasPhantoms(trials)
    {
      concerns.append(.falseAlarms)
    }
    if Self.isTooMany(missedCount, of: clearToneCount) { concerns.append(.missedTones) }
    let differs = repeats.contains {
      abs($0.measured.second - $0.measured.first) > max(12.5, 3.2 * $0.expectedSpread)
    }
    if differs || hasShifted { concerns.append(.repeats) }
    if isContradictory { concerns.append(.contradictions) }
    if isFinished, !trials.isEmpty, !(trials.contains { $0.response.isHeard }) {
      concerns.append(.noResponses)
    }
    self.concerns = concerns
  }

  /// Whether the listener often presses the button in silence near one frequency, which is typical
  /// of tinnitus.
  private static func hasPhantoms(_ trials: [ToneTest.Trial]) -> Bool {
    let frequencies = Set(trials.map { $0.presentation.frequency })
    return frequencies.contains { frequency in
      let (count, silenceCount) = phantoms(near: frequency, in: trials)
      return BinomialTail.probability(
        of: count, orMoreIn: silenceCount, eventProbability: toleratedErrorRate)
        < significance
    }
  }

  /// The number of presses in silence and the number of silent intervals, in presentations within
  /// 0.6 octaves of a frequency in Hz.
  static func phantoms(
    near frequency: Double, in trials: [ToneTest.Trial]
  ) -> (count: Int, silenceCount: Int) {
    let near = trials.filter {
      abs(CMath.binaryLogarithm($0.presentation.frequency / frequency)) <= 0.6
    }
    let silent = near.filter { $0.presentation.isSilent }
    let count =
      near.count { $0.response.pressedInSilence || $0.isEarly }
      + silent.count { $0.response.isHeard && !$0.isEarly }
    return (count, near.count + silent.count)
  }
}
