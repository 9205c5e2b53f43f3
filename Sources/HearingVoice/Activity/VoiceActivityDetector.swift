internal import HearingDSP

/// Says every 10 ms whether somebody talks.
///
///     var detector = try VoiceActivityDetector(sampleRate: 48_000)
///     var state = VoiceState()
///     detector.process(samples, frameCount: 480) { decision in
///       if state.take(isVoice: decision.isVoice) == .started { print("talk") }
///     }
///
/// It hears one channel at 8…48 kHz in blocks of any size, which change nothing in the decisions.
/// What it listens to lies below 4 kHz. Decisions have no hang-over (``VoiceState`` has) and come
/// without looking ahead; resampling delays what is heard by 0.8 ms.
///
/// `process` and `reset` keep the contract of the render path: no allocation, no lock, no reference
/// counting. One thread at a time may call them. NaN, infinities and samples beyond ±10⁶ are heard
/// as silence and leave no trace.
///
/// It does not tell speech from singing, nor one talker from another, and is not for deciding what
/// may be cut out of a recording.
public struct VoiceActivityDetector: ~Copyable {
  /// The sample rates in Hz that a detector accepts.
  public static let supportedSampleRates: ClosedRange<Double> = 8_000...48_000

  /// The sample rate in Hz.
  public let sampleRate: Double

  /// Coefficients, history of the analysis, samples heard.
  private let memory: UnsafeMutablePointer<Float>
  /// The samples of the frame under way, with earlier ones for the resampler in front.
  private let samples: UnsafeMutablePointer<Float>
  private let resampler: NarrowbandResampler
  private var analysis: VoiceAnalysis

  /// Decisions made.
  private var decisionCount: Int64 = 0
  /// Samples of the frame under way that have been heard.
  private var heard = 0
  /// Samples that the frame under way has.
  private var length = 0
  /// Where the frame under way begins.
  private var begin: Int64 = 0
  /// Where it ends: the position that its decision will name.
  private(set) var frameEnd: Int64 = 0

  /// A detector for one channel at `sampleRate` Hz.
  ///
  /// - Parameter sampleRate: 8,000…48,000; it need not be a whole number.
  public init(sampleRate: Double) throws(Failure) {
    guard Self.supportedSampleRates.contains(sampleRate) else {
      throw .sampleRateOutOfRange(sampleRate)
    }
    self.sampleRate = sampleRate
    let longestFrame = Int(sampleRate / 100) + 2
    let tapCount = NarrowbandResampler.tapCount(sampleRate: sampleRate)
    var store = FloatStore(
      capacity: NarrowbandResampler.storage(sampleRate: sampleRate) + VoiceAnalysis.storage
        + tapCount + longestFrame)
    memory = store.base
    resampler = NarrowbandResampler(sampleRate: sampleRate, store: &store)
    analysis = VoiceAnalysis(store: &store)
    samples = store.take(tapCount + longestFrame) + tapCount
    planFrame()
  }

  deinit {
    analysis.deallocate()
    memory.deallocate()
  }

  /// Hears `frameCount` samples and hands over one decision for each 10 ms that they complete.
  ///
  /// - Parameters:
  ///   - samples: one channel, full scale ±1.
  ///   - frameCount: from 0 on.
  ///   - eachDecision: called on this thread, in order; the contract of the render path holds as
  ///     far as it keeps it.
  public mutating func process(
    _ samples: UnsafePointer<Float>, frameCount: Int, eachDecision: (Decision) -> Void
  ) {
    var done = 0
    while done < frameCount {
      done += hear(samples + done, count: frameCount - done)
      if heard == length { eachDecision(decide()) }
    }
  }

  /// Forgets all sound heard and counts samples from 0 again.
  @_noLocks @_noAllocation
  public mutating func reset() {
    for index in 1...resampler.tapCount { (samples - index).pointee = 0 }
    analysis.clear()
    decisionCount = 0
    heard = 0
    planFrame()
  }

  /// Takes samples in, up to the end of the frame under way; returns how many.
  @_noLocks @_noAllocation
  private mutating func hear(_ source: UnsafePointer<Float>, count: Int) -> Int {
    let taken = min(count, length - heard)
    SampleGuard.copy(
      source, to: samples + heard, count: taken,
      least: SampleGuard.trace, most: 1e6)
    heard += taken
    return taken
  }

  /// Ends the frame under way.
  @_noLocks @_noAllocation
  private mutating func decide() -> Decision {
    let start = sampleRate * Double(decisionCount) / 100 - Double(begin)
    analysis.advance()
    resampler.process(samples, length: length, start: start, to: analysis.frame)
    let kept = samples - resampler.tapCount
    for index in 0..<resampler.tapCount { kept[index] = kept[index + length] }
    analysis.finish()
    decisionCount += 1
    let decision = Decision(
      isVoice: analysis.score >= Decision.threshold, frame: frameEnd, score: analysis.score,
      level: analysis.level)
    heard = 0
    planFrame()
    return decision
  }

  /// Sets where the frame under way ends: at k · rate / 100 samples, rounded up.
  @_noLocks @_noAllocation
  private mutating func planFrame() {
    begin = edge(decisionCount)
    frameEnd = edge(decisionCount + 1)
    length = Int(frameEnd - begin)
  }

  @_noLocks @_noAllocation
  private func edge(_ count: Int64) -> Int64 {
    let place = sampleRate * Double(count) / 100
    let below = Int64(place)
    return Double(below) < place ? below + 1 : below
  }
}

extension VoiceActivityDetector {
  /// What the last decision was made from.
  @_spi(Measuring) public func features() -> [Float] {
    (0..<VoiceFeatures.count).map { analysis.features.values[$0] }
  }
}

// Nothing else points to the memory that a detector owns, and it cannot be copied: whoever has it
// is the only one to touch it.
extension VoiceActivityDetector: @unchecked Sendable {}
