internal import HearingDSP
internal import HearingBuffers

/// The echo canceller as a stage of the uplink, with the reference aligned to the microphone.
///
/// Devices delay playback by up to 0.5 s. If the filter is too short for the echo and the following
/// 120 ms of the room, the reference is delayed so that the filter starts 6 ms before the echo; the
/// filter then starts again.
struct EchoStage: RenderStage, ~Copyable {
  private var canceller: EchoCanceller
  private var search: DelaySearch
  private let memory: FloatMemory
  private let echo: Row<Float>
  private let delayed: Row<Float>
  /// The reference of the last 0.5 s and of a run.
  private let history: Row<Float>
  private let historyLength: Int
  private var place = 0

  /// Whether echo is removed. Otherwise the microphone passes unchanged, and the filter keeps adapting.
  var isEnabled = true
  private let direct: Row<Float>
  /// The cross-fade of 10 ms between the microphone, 0, and the canceller's output.
  private let fade: OwnedRow<Float>
  private let fadeLength: Int
  private var fadePlace: Int

  /// The delay of the reference in samples.
  private(set) var delay: Int
  private var startDelay: Int
  private let lead: Int
  private var reach: Int
  private let sampleRate: Double
  /// The greatest tail in seconds.
  private let tail: Double

  /// - Parameters:
  ///   - deviceDelay: The known delay of the devices in seconds.
  ///   - capacity: The greatest length of a run.
  init(
    _ canceller: consuming EchoCanceller, sampleRate: Double, tail: Double,
    deviceDelay: Double = 0, capacity: Int
  ) {
    self.canceller = canceller
    search = DelaySearch(sampleRate: sampleRate)
    historyLength = search.greatestDelay + capacity
    var memory = FloatMemory(capacity: 3 * capacity + historyLength)
    direct = memory.take(capacity)
    echo = memory.take(capacity)
    delayed = memory.take(capacity)
    history = memory.take(historyLength)
    self.memory = memory
    fadeLength = Int(0.01 * sampleRate)
    fadePlace = fadeLength
    fade = RaisedCosine.curve(steps: fadeLength)
    lead = Int(0.006 * sampleRate)
    startDelay = max(0, Int(deviceDelay * sampleRate) - lead)
    delay = startDelay
    reach = Int(max(0.03, tail - 0.12) * sampleRate)
    self.sampleRate = sampleRate
    self.tail = tail
  }

  mutating func process(_ run: inout UplinkRun) {
    for index in 0..<run.frameCount { direct[index] = run.samples[index] }
    let count = run.frameCount
    search.add(microphone: run.samples, reference: run.reference, count: count)
    if let found = search.delay { align(found) }
    for index in 0..<count {
      history[place] = run.reference[index]
      let source = place - delay
      delayed[index] = history[source < 0 ? source + historyLength : source]
      place = place + 1 == historyLength ? 0 : place + 1
    }
    run.reference = delayed
    canceller.process(run.samples, reference: delayed, echo: echo, frameCount: count)
    run.echo = echo
    run.residualEchoPower = canceller.residualEchoPower
    run.expectedEchoError = canceller.filter.expectedError
    run.microphone = direct
    let target = isEnabled ? fadeLength : 0
    guard fadePlace < fadeLength || target < fadeLength else { return }
    // All echo is still there.
    run.residualEchoPower = .greatestFiniteMagnitude
    for index in 0..<count {
      if fadePlace != target { fadePlace += isEnabled ? 1 : -1 }
      let gain = fade[fadePlace]
      run.samples[index] =
        fadePlace == 0 ? direct[index] : gain * run.samples[index] + (1 - gain) * direct[index]
    }
  }

  /// Restarts with another delay and tail, in seconds.
  mutating func restart(delay: Double, tail: Double) {
    let tail = min(tail, self.tail)
    startDelay = min(max(0, Int(delay * sampleRate) - lead), search.greatestDelay)
    reach = Int(max(0.03, tail - 0.12) * sampleRate)
    let block = canceller.filter.plan.block
    canceller.restart(
      partitions: EchoPlan.partitions(tail: tail, sampleRate: sampleRate, block: block))
    search.reset()
    self.delay = startDelay
  }

  /// Changes the delay of the reference if the filter does not cover the measured delay well.
  private mutating func align(_ found: Int) {
    let early = found - delay
    let isCovered = early >= 0 && early < reach
    guard !isCovered else { return }
    delay = max(0, found - lead)
    canceller.reset()
  }

  /// Ends the cross-fade at once.
  mutating func settle() { fadePlace = isEnabled ? fadeLength : 0 }

  mutating func reset() {
    canceller.reset()
    search.reset()
    memory.clear()
    place = 0
    delay = startDelay
    settle()
  }
}
