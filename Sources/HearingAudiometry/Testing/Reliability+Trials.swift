import HearingFitting

extension Reliability {
  /// Computes the reliability of a test from the answers and the estimated thresholds.
  init(
    trials: [ToneTest.Trial], estimate: [ThresholdEstimate], isContradictory: Bool,
    hasShifted: Bool,
    logLikelihood: Double?,
    isFinished: Bool,
    repeats: [(measured: Repeat, expectedSpread: Double)]
  ) {
    let silent = trials.filter { $0.presentation.isSilent }
    // The wait at the start of each presentation also counts as a silent interval. A catch trial
    // therefore counts twice: the wait, and the silence after the wait.
    silenceCount = trials.count + silent.count
    let catchTrialPresses = silent.count { $0.response.isHeard && !$0.isEarly }
    falseAlarmCount =
      trials.count { $0.response.pressedInSilence || $0.isEarly } + catchTrialPresses
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
    // The second measurement of a threshold counts only if the listener responded to at least one
    // tone at the same ear and frequency.
    let repeats = repeats.filter { repetition in
      trials.contains {
        $0.response.isHeard && !$0.isEarly && !$0.presentation.isSilent
          && $0.presentation.ear == repetition.measured.ear
          && $0.presentation.frequency == repetition.measured.frequency
      }
    }
    self.repeats = repeats.map { $0.measured }
    var concerns: [MeasurementRecord.Note] = isFinished ? [] : [.unfinished]
    // The number of presses in catch trials is also tested separately. Some listeners press the
    // button at the expected time of each tone, without listening. Such listeners press the button
    // in catch trials, but not in the waits before the tones.
    if Self.isTooMany(falseAlarmCount, of: silenceCount)
      || Self.isTooMany(catchTrialPresses, of: silent.count) || Self.hasPhantoms(trials)
    {
      concerns.append(.falseAlarms)
    }
    if Self.isTooMany(missedCount, of: clearToneCount) { concerns.append(.missedTones) }
    let differs = repeats.contains {
      abs($0.measured.second - $0.measured.first) > max(12.5, 3.2 * $0.expectedSpread)
    }
    if differs || hasShifted { concerns.append(.repeats) }
    if isFinished, let logLikelihood, Self.ignoresTones(trials, logLikelihood: logLikelihood) {
      concerns.append(.contradictions)
    } else if isContradictory || Self.hasLostResponses(trials, estimate) {
      concerns.append(.contradictions)
    }
    if isFinished, !trials.isEmpty, !(trials.contains { $0.response.isHeard }) {
      concerns.append(.noResponses)
    }
    self.concerns = concerns
  }

  /// Whether the answers are clearly more probable for a listener who ignores the tones than for a
  /// listener who responds to the tones.
  ///
  /// A listener who ignores the tones may, for example, press the button at random or in every
  /// second presentation. The model of this listener has two probabilities of a press: one
  /// probability after a press, and another probability after a presentation without a press. Each
  /// of the two probabilities is estimated from the earlier answers. Before the first answer, each
  /// estimate is 0.5, with the weight of ten answers. With a smaller weight, a listener who hears
  /// only a few tones would seem to ignore the tones.
  ///
  /// In a catch trial, a listener who responds to the tones presses the button with the probability
  /// ``toleratedErrorRate``. Presses in catch trials are already counted as false alarms. Here,
  /// catch trials are therefore used only as evidence that the listener responds to the tones.
  /// Without this evidence, a listener with thresholds near the minimum level would seem to press
  /// at random.
  ///
  /// - Parameter logLikelihood: The natural logarithm of the probability of the answers to the
  ///   tones, for a listener who responds to the tones.
  private static func ignoresTones(_ trials: [ToneTest.Trial], logLikelihood: Double) -> Bool {
    var (evidence, catchTrialEvidence) = (-logLikelihood, 0.0)
    var counts = [false: [false: 5.0, true: 5], true: [false: 5, true: 5]]
    var wasHeard = false
    for trial in trials where !trial.isEarly {
      let isHeard = trial.response.isHeard
      let (count, other) = (counts[wasHeard]?[isHeard] ?? 0, counts[wasHeard]?[!isHeard] ?? 0)
      let logProbability = CMath.logarithm(count / (count + other))
      if trial.presentation.isSilent {
        let rate = isHeard ? toleratedErrorRate : 1 - toleratedErrorRate
        catchTrialEvidence += logProbability - CMath.logarithm(rate)
      } else {
        evidence += logProbability
      }
      counts[wasHeard]?[isHeard] = count + 1
      wasHeard = isHeard
    }
    return evidence + min(0, catchTrialEvidence) > ignoringEvidence
  }

  /// Whether the listener first responded to tones at an ear, and later missed much louder tones at
  /// the same ear and frequency. This pattern is typical of a listener who falls asleep.
  ///
  /// A tone counts if the result at its frequency is "no response", and if its level is at least
  /// ``clearMargin`` below the maximum level at this frequency. The function computes the
  /// probability of the answers for two listeners. The first listener responds to half of the tones
  /// that count. The second listener presses the button only by mistake, with the probability
  /// ``toleratedErrorRate``. After each tone that counts, the function divides the first
  /// probability of the answers so far by the second probability. If one of these ratios exceeds 1
  /// / ``significance``, the result is true. For the second listener, the result is true with a
  /// probability of at most ``significance`` (Ville 1939).
  private static func hasLostResponses(
    _ trials: [ToneTest.Trial], _ estimate: [ThresholdEstimate]
  ) -> Bool {
    let unheard = estimate.filter { $0.isNoResponse }
    return Ear.allCases.contains { ear in
      var evidence = 0.0
      return trials.contains { trial in
        let (presentation, isHeard) = (trial.presentation, trial.response.isHeard)
        let known = unheard.first { $0.ear == ear && $0.frequency == presentation.frequency }
        guard let known, trial.isScored, presentation.ear == ear,
          presentation.level <= known.threshold - clearMargin,
          // If the other ear is not masked, the listener may have heard the tone with the other
          // ear.
          !isHeard || !known.isMasked || presentation.maskingLevel != nil
        else { return false }
        evidence += CMath.logarithm(
          0.5 / (isHeard ? toleratedErrorRate : 1 - toleratedErrorRate))
        return evidence > -CMath.logarithm(significance)
      }
    }
  }

  /// Whether the listener often presses the button in the silent intervals near one test frequency.
  /// This pattern is typical of tinnitus.
  private static func hasPhantoms(_ trials: [ToneTest.Trial]) -> Bool {
    let frequencies = Set(trials.map { $0.presentation.frequency })
    return frequencies.contains { frequency in
      let (count, silenceCount) = phantoms(near: frequency, in: trials)
      return BinomialTail.probability(
        of: count, orMoreIn: silenceCount, eventProbability: toleratedErrorRate)
        < significance
    }
  }

  /// The number of presses in silence and the number of silent intervals near one frequency. Only
  /// presentations within 0.6 octaves of `frequency` (in Hz) count.
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
