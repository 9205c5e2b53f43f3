public import HearingFitting

extension ToneTest {
  /// A profile with all thresholds that have been measured. The profile contains a record of the
  /// measurement and the uncertainty of each threshold. If no threshold of an ear was measured, the
  /// audiogram of this ear is nil.
  ///
  /// Before the end of the test, the profile contains only thresholds that need no further tones.
  /// The record of an unfinished test contains the note "unfinished".
  ///
  /// Thresholds are rounded to whole dB. The app must set the date of the profile.
  public var profile: HearingProfile {
    let estimate = measured
    var profile = HearingProfile(method: .selfTest)
    for ear in Ear.allCases {
      let points = estimate.filter { $0.ear == ear }.map { estimate in
        Audiogram.Point(
          frequency: estimate.frequency,
          threshold: min(
            max(estimate.threshold.rounded(), Audiogram.thresholdRange.lowerBound),
            Audiogram.thresholdRange.upperBound),
          isMasked: estimate.isMasked, isNoResponse: estimate.isNoResponse)
      }
      guard !points.isEmpty else { continue }
      do {
        profile[ear] = try Audiogram(points: points)
      } catch {
        preconditionFailure("a finished test without a valid audiogram: \(error)")
      }
    }
    profile.record = record(estimate)
    return profile
  }

  /// The estimates of the thresholds that need no further tones. During the test, a threshold is
  /// not included if it will be measured again with masking. At the end of the test, the list
  /// contains all estimates.
  var measured: [ThresholdEstimate] {
    [Ear.right, .left].flatMap { ear in
      plan.frequencies.indices.compactMap { index in
        guard let estimate = procedure.estimate(ear, index) else { return nil }
        let isPending = settings.isMaskingAvailable && estimate.needsMasking
        return hasEnded || (procedure.isMeasured(ear, index) && !isPending) ? estimate : nil
      }
    }
  }

  /// True if the test presents no further tones.
  var hasEnded: Bool {
    procedure.request == nil || history.count >= Self.maximumAnswerCount
  }

  /// The reliability of the current result. Before the end of the test, ``Reliability/concerns``
  /// contains the note "unfinished".
  public var reliability: Reliability {
    Reliability(
      trials: history, estimate: estimate,
      isContradictory: procedure.isContradictory
        || (procedure.request != nil && hasEnded),
      hasShifted: procedure.hasShifted,
      logLikelihood: procedure.logLikelihood,
      isFinished: hasEnded,
      repeats: procedure.repeats.map { repetition in
        (
          Reliability.Repeat(
            ear: repetition.ear, frequency: plan.frequencies[repetition.index],
            first: repetition.first, second: repetition.second),
          repetition.expectedSpread
        )
      })
  }

  private func record(_ estimate: [ThresholdEstimate]) -> MeasurementRecord {
    let reliability = reliability
    var notes = reliability.concerns
    if isSlow { notes.append(.slowAnswers) }
    if !settings.calibration.isCalibrated { notes.append(.uncalibrated) }
    if (estimate.contains { $0.needsMasking }) { notes.append(.maskingMissing) }
    if disturbances.contains(.ambientNoise) { notes.append(.ambientNoise) }
    if disturbances.contains(.calibrationChange) { notes.append(.calibrationChange) }
    return MeasurementRecord(
      procedure: settings.method.name, headphone: settings.calibration.name,
      toneCount: toneCount,
      thresholds: estimate.map { estimate in
        MeasurementRecord.Threshold(
          ear: estimate.ear, frequency: estimate.frequency,
          standardDeviation: Self.rounded(estimate.standardDeviation),
          lowest: Self.rounded(estimate.interval.lowerBound),
          highest: Self.rounded(estimate.interval.upperBound),
          needsMasking: estimate.needsMasking)
      },
      repeats: reliability.repeats.map { repetition in
        MeasurementRecord.Repeat(
          ear: repetition.ear, frequency: repetition.frequency,
          first: Self.rounded(repetition.first), second: Self.rounded(repetition.second))
      },
      silenceCount: reliability.silenceCount, falseAlarmCount: reliability.falseAlarmCount,
      notes: notes)
  }

  private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
