internal import HearingDSP
internal import HearingBuffers

/// The echo canceller as a stage of the uplink. It aligns the reference to the microphone signal.
///
/// Devices delay playback by up to 0.5 s. The filter must cover the echo and the 120 ms of
/// reverberation after it. If the filter is too short for this, the stage delays the reference so
/// that the filter starts 6 ms before the echo, and resets the filter.
struct EchoStage: RenderStage, ~Copyable {
  private var canceller: EchoCanceller
  private var search: DelaySearch
  private var estimator: EchoEstimator
  private let echo: OwnedRow<Float>
  private let delayed: PlaybackRows
  private let delayedMemory: OwnedRow<Float>
  private let cancelled: OwnedRow<Float>
  /// A circular buffer of the reference. Its length is the maximum delay of about 0.5 s plus one
  /// run.
  private let history: OwnedRow<SIMD2<Float>>
  private let historyLength: Int
  private var position = 0

  private let direct: OwnedRow<Float>
  /// The cross-fade of 10 ms from the microphone signal to the canceller's output.
  private var fade: CrossFade
  private let fadeCurve: OwnedRow<Float>

  /// The delay of the reference in samples.
  private(set) var delay: Int
  private var startDelay: Int
  private let lead: Int
  private var coverage: Int
  private let sampleRate: Double
  /// The maximum tail of the echo filter in seconds.
  private let tail: Double

  /// - Parameters:
  ///   - deviceDelay: The known delay of the devices in seconds.
  ///   - capacity: The maximum number of samples in a run.
  init(
    _ canceller: consuming EchoCanceller, sampleRate: Double, tail: Double,
    deviceDelay: Double = 0, capacity: Int
  ) {
    self.canceller = canceller
    search = DelaySearch(sampleRate: sampleRate)
    estimator = EchoEstimator(sampleRate: sampleRate, capacity: capacity)
    historyLength = search.maximumDelay + capacity
    direct = .filled(0, count: capacity)
    echo = .filled(0, count: capacity)
    cancelled = .filled(0, count: capacity)
    delayedMemory = .filled(0, count: 2 * capacity)
    delayed = PlaybackRows(delayedMemory.row, capacity: capacity)
    history = .filled(.zero, count: historyLength)
    fade = CrossFade(length: Int(0.01 * sampleRate), isOn: true)
    fadeCurve = fade.raisedCosine
    lead = Int(0.006 * sampleRate)
    startDelay = max(0, Int(deviceDelay * sampleRate) - lead)
    delay = startDelay
    coverage = Int(max(0.03, tail - 0.12) * sampleRate)
    self.sampleRate = sampleRate
    self.tail = tail
  }

  mutating func process(_ run: inout UplinkRun) {
    guard let reference = run.reference else { return }
    for index in 0..<run.frameCount { direct[index] = run.samples[index] }
    let count = run.frameCount
    search.add(microphone: run.samples, reference: reference.mean, count: count)
    if let found = search.delay { align(found) }
    for index in 0..<count {
      history[position] = SIMD2(reference.mean[index], reference.difference[index])
      let source = position - delay
      let played = history[source < 0 ? source + historyLength : source]
      delayed.mean[index] = played[0]
      delayed.difference[index] = played[1]
      position = position + 1 == historyLength ? 0 : position + 1
    }
    run.reference = delayed
    canceller.process(run.samples, reference: delayed, echo: echo.row, frameCount: count)
    estimator.add(
      reference: delayed.mean, echo: echo.row, microphone: direct.row, count: count)
    run.echoBefore = estimator.decision
    if run.endsFrame {
      estimator.finishFrame(
        fraction: canceller.filter.fraction, mayBeDelayed: mayBeDelayed,
        strength: run.echoSuppression)
    }
    run.echoAfter = estimator.decision
    run.isNearPossible = estimator.isNear
    run.echoKnowledge = estimator.knowledge
    run.cancelled = run.samples
    if fade.isComplete { return }
    for index in 0..<count { cancelled[index] = run.samples[index] }
    run.cancelled = cancelled.row
    for index in 0..<count {
      fade.advance()
      let gain = fadeCurve[fade.position]
      run.samples[index] =
        fade.position == 0 ? direct[index] : gain * run.samples[index] + (1 - gain) * direct[index]
    }
  }

  /// Whether echo is removed. If false, the microphone signal passes unchanged, but the filter
  /// continues to adapt.
  var isEnabled: Bool {
    get { fade.isOn }
    set { fade.isOn = newValue }
  }

  /// Whether the echo is too strong for headphones.
  var isEchoStrong: Bool { estimator.isStrong }

  /// The current report on the echo.
  var findings: EchoFindings {
    // The fields are read before the first branch. Otherwise, Swift 6.3 takes 20 seconds to compile
    // this function.
    let (delay, rate, isEnabled) = (search.delay, Float(sampleRate), isEnabled)
    var findings = EchoFindings(problem: search.outside)
    estimator.describe(&findings)
    if findings.path == .present {
      if let delay { findings.delay = Float(delay) / rate }
      if !isEnabled { findings.reduction = 0 }
    }
    return findings
  }

  /// Restarts with another delay and tail, in seconds.
  mutating func restart(delay: Double, tail: Double) {
    let tail = min(tail, self.tail)
    startDelay = min(max(0, Int(delay * sampleRate) - lead), search.maximumDelay)
    coverage = Int(max(0.03, tail - 0.12) * sampleRate)
    let block = canceller.filter.plan.block
    canceller.restart(
      partitions: EchoPlan.partitions(tail: tail, sampleRate: sampleRate, block: block))
    search.reset()
    estimator.reset()
    self.delay = startDelay
  }

  /// Changes the delay of the reference if the filter does not cover the measured delay.
  private mutating func align(_ found: Int) {
    guard !isCovered(found) else { return }
    delay = max(0, found - lead)
    canceller.reset()
    estimator.restart()
  }

  /// Whether the filter covers an echo with a delay of `found` samples.
  private func isCovered(_ found: Int) -> Bool { found >= delay && found - delay < coverage }

  /// Whether the delay search has a tentative delay that the filter does not cover.
  private var mayBeDelayed: Bool {
    guard let tentative = search.tentativeDelay else { return false }
    return !isCovered(tentative)
  }

  /// Ends the cross-fade at once.
  mutating func settle() { fade.settle(isOn: isEnabled) }

  mutating func reset() {
    canceller.reset()
    search.reset()
    estimator.reset()
    direct.fill(0)
    echo.fill(0)
    cancelled.fill(0)
    delayedMemory.fill(0)
    history.fill(.zero)
    position = 0
    delay = startDelay
    settle()
  }
}
