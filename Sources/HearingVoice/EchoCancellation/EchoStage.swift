internal import HearingDSP
internal import HearingBuffers

/// Removes the echo of the playback from the microphone signal of a call. The playback is also
/// called the reference. The stage delays the reference so that the reference and the echo are
/// nearly aligned.
///
/// Audio devices delay playback by up to 0.5 s. The filter must cover the start of the echo and the
/// next 120 ms of reverberation. The tail is the length of the filter. If the tail is shorter than
/// 150 ms, the filter must cover less reverberation: the length of the tail minus 30 ms. If the
/// filter starts after the echo or ends too early, the stage resets the filter and changes the
/// delay of the reference. After this change, the filter starts 6 ms before the echo.
///
/// If the delay of the devices changes during a call, the filter no longer predicts the echo. In
/// this case, the stage changes the delay of the reference by the same amount as the delay of the
/// devices. The room has not changed. Therefore the filter keeps the estimate of the room.
struct EchoStage: RenderStage, ~Copyable {
  private var canceller: LinearCanceller
  private var search: DelaySearch
  private(set) var estimator: EchoEstimator
  private let echo = OwnedRow<Float>.filled(0, count: UplinkRun.capacity)
  private let delayed = OwnedRow<Float>.filled(0, count: PlaybackRows.memorySize)
  private let cancelled = OwnedRow<Float>.filled(0, count: UplinkRun.capacity)
  /// A circular buffer of the reference. The buffer has a length of about 0.51 s: the maximum delay
  /// of about 0.5 s, plus 10 ms.
  private let history: OwnedRow<SIMD2<Float>>
  private var position = 0

  /// Switches echo cancellation on and off. While echo cancellation is off, the microphone signal
  /// passes unchanged, but the filter continues to adapt.
  var fade: SwitchFade

  /// The delay of the reference in samples.
  private(set) var delay = 0
  private var startDelay = 0
  /// The last measured delay of the echo in samples, or nil until a delay has been measured.
  private var covered: Int?
  private let lead: Int
  private var coverage = 0
  /// The value of ``EchoPath/raisesSuppression``.
  private var raisesSuppression = false
  private let sampleRate: Double
  /// The maximum length of the echo filter in seconds.
  private let tail: Double

  /// - Parameter deviceDelay: The known delay from playback to the microphone, in seconds.
  init(sampleRate: Double, tail: Double, deviceDelay: Double = 0) {
    canceller = LinearCanceller(
      plan: EchoPlan(sampleRate: sampleRate, tail: tail), sampleRate: sampleRate)
    search = DelaySearch(sampleRate: sampleRate)
    estimator = EchoEstimator(sampleRate: sampleRate)
    history = .filled(.zero, count: search.maximumDelay + UplinkRun.capacity)
    fade = SwitchFade(length: Int(0.01 * sampleRate), isOn: true)
    lead = Int(0.006 * sampleRate)
    self.sampleRate = sampleRate
    self.tail = tail
    follow(EchoPath(delay: deviceDelay, tail: tail))
  }

  mutating func process(_ run: inout UplinkRun) {
    guard let reference = run.reference else { return }
    let (delayed, count) = (PlaybackRows(delayed.row), run.frameCount)
    CallBlock.copy(run.samples, to: fade.direct.row, count: count)
    search.add(microphone: run.samples, reference: reference.mean, count: count)
    let historyLength = history.count
    for index in 0..<count {
      history[position] = reference[index]
      let source = position - delay
      delayed[index] = history[source < 0 ? source + historyLength : source]
      position = position + 1 == historyLength ? 0 : position + 1
    }
    run.reference = delayed
    canceller.process(run.samples, reference: delayed, echo: echo.row, frameCount: count)
    estimator.bands.add(
      reference: delayed.mean, echo: echo.row, microphone: fade.direct.row, count: count)
    run.echoBefore = estimator.decision
    if run.endsFrame {
      estimator.finishFrame(run, fraction: canceller.fraction, mayBeDelayed: mayBeDelayed)
    }
    run.echoAfter = estimator.decision
    run.isNearPossible = estimator.isNear
    run.isVoiceAudible = estimator.isAudible
    run.echoPath = estimator.path
    run.cancelled = run.samples
    // The delay changes only at the end of a 10 ms frame, so that the result does not depend on the
    // block size.
    if run.endsFrame, let found = search.delay { align(found) }
    if fade.isComplete { return }
    CallBlock.copy(run.samples, to: cancelled.row, count: count)
    run.cancelled = cancelled.row
    fade.blend(run.samples, count: count)
  }

  /// The current report on the echo.
  var report: EchoReport {
    // The next three properties are read before the first branch. If they were read after a branch,
    // Swift 6.3 would need 20 seconds to compile `report`.
    let (delay, rate, isOn) = (search.delay, Float(sampleRate), fade.isOn)
    var report = EchoReport()
    report.problem = search.outside
    estimator.describe(&report)
    if report.path == .present {
      if let delay { report.delay = Double(Float(delay) / rate) }
      if !isOn { report.reduction = 0 }
    }
    return report
  }

  /// Restarts the stage if the start or the length of the filter changes, or if
  /// ``EchoPath/raisesSuppression`` changes, because then another kind of device is used.
  mutating func follow(_ path: EchoPath) {
    let tail = min(path.tail, self.tail)
    let start = min(max(0, Int(path.delay * sampleRate) - lead), search.maximumDelay)
    let coverage = Int(max(0.03, tail - 0.12) * sampleRate)
    let partitions = EchoPlan.partitions(
      tail: tail, sampleRate: sampleRate, block: canceller.plan.block)
    guard
      (start, coverage, partitions, path.raisesSuppression)
        != (startDelay, self.coverage, canceller.partitions, raisesSuppression)
    else { return }
    (startDelay, self.coverage, canceller.partitions) = (start, coverage, partitions)
    raisesSuppression = path.raisesSuppression
    restart()
    recall()
  }

  /// After a change of the delay, fills the signal history of the canceller with earlier playback.
  private mutating func recall() {
    let (next, length, played) = (position - delay, history.count, history.row)
    canceller.recall(count: length - delay) { age in
      played[next < age ? next - age + length : next - age]
    }
  }

  /// Restarts the stage with the delay `startDelay`.
  private mutating func restart() {
    canceller.reset()
    search.reset()
    estimator.reset()
    delay = startDelay
    covered = nil
  }

  /// Changes the delay of the reference if the filter does not cover the measured delay.
  ///
  /// - If the filter no longer predicts the echo, the delay of the devices has changed. The echo
  ///   path in the room is the same, so the filter keeps its response.
  /// - Otherwise, the measured delay belongs to another sound, or it is the first measured delay.
  ///   The filter is then reset, and learns a new response. If the stage ignored the delays of
  ///   other sounds, the echo of music would be reduced more, but more near-end speech would be
  ///   lost in conversations.
  private mutating func align(_ found: Int) {
    defer { covered = found }
    guard !isCovered(found) else { return }
    defer { recall() }
    if let covered, !estimator.isEchoPredicted,
      (0...search.maximumDelay).contains(delay + found - covered)
    {
      delay += found - covered
      canceller.realign()
      estimator.realign()
    } else {
      delay = max(0, found - lead)
      canceller.reset()
      estimator.restart()
    }
  }

  /// Whether the filter covers an echo with a delay of `found` samples.
  private func isCovered(_ found: Int) -> Bool { found >= delay && found - delay < coverage }

  /// Whether the delay search has found a tentative delay (a delay that is not yet accepted) that
  /// the filter does not cover.
  private var mayBeDelayed: Bool {
    if let tentative = search.tentativeDelay { !isCovered(tentative) } else { false }
  }

  mutating func reset() {
    restart()
    history.fill(.zero)
    position = 0
    fade.settle()
  }
}
