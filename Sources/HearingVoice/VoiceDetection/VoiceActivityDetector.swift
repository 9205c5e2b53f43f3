internal import HearingBuffers

/// Decides every 10 ms whether somebody talks.
///
///     var detector = try VoiceActivityDetector(sampleRate: 48_000)
///     var state = VoiceState()
///     detector.process(samples, frameCount: 480) { decision in
///       if state.add(isVoice: decision.isVoice) == .started { print("talk") }
///     }
///
/// The detector analyses one channel with a sample rate of 8…96 kHz, in blocks of any size. The
/// decisions do not depend on the block size. The detector uses only frequencies below 4 kHz.
/// Decisions have no look-ahead, but resampling adds a delay of about 1.1 ms. Decisions have no
/// hangover (a hold time after the end of a voice). ``VoiceState`` adds a hangover.
///
/// `process` and `reset` never allocate, lock or count references. Only one thread at a time may
/// use a detector. NaN, infinities and samples beyond ±10⁶ count as silence.
///
/// The detector does not distinguish speech from singing, or one talker from another. Do not use
/// the detector to cut recordings.
public struct VoiceActivityDetector: ~Copyable {
  /// The sample rates in Hz that a detector supports.
  public static var supportedSampleRates: ClosedRange<Double> { VoiceFailure.callRates }

  /// The sample rate in Hz.
  public let sampleRate: Double

  /// The earlier samples that the resampler needs, and then the samples of the current frame.
  private let memory: OwnedRow<Float>
  /// The samples of the current frame. Samples before the current frame have negative indices.
  private let samples: Row<Float>
  private let resampler: NarrowbandResampler
  private var analysis = VoiceAnalysis()

  /// The number of decisions since the last reset.
  private var decisionCount: Int64 = 0
  /// The number of samples that have been added to the current frame.
  private var filled = 0
  /// The length of the current frame in samples.
  private var length = 0
  /// The end of the current frame, in samples since the last reset. The decision on the frame
  /// contains this number.
  private var frameEnd: Int64 = 0

  /// The number of samples until the end of the current frame.
  var framesLeft: Int { length - filled }

  /// Creates a detector for one channel.
  ///
  /// - Parameter sampleRate: The sample rate in Hz, within ``supportedSampleRates``. The sample
  ///   rate need not be a whole number.
  /// - Throws: ``VoiceFailure`` if the sample rate is out of range.
  public init(sampleRate: Double) throws(VoiceFailure) {
    try VoiceFailure.check(sampleRate: sampleRate)
    self.sampleRate = sampleRate
    resampler = NarrowbandResampler(sampleRate: sampleRate)
    let tapCount = resampler.tapCount
    // A frame is at most one sample longer than 10 ms.
    memory = .filled(0, count: tapCount + Int(sampleRate / 100) + 2)
    samples = memory.from(tapCount)
    planFrame()
  }

  /// Analyses `frameCount` samples. Calls `eachDecision` once for each completed frame of 10 ms.
  ///
  /// - Parameters:
  ///   - samples: The samples of one channel. Full scale is ±1.
  ///   - frameCount: The number of samples, 0 or more.
  ///   - eachDecision: Receives the decisions in order, on the calling thread. The closure must not
  ///     allocate, lock or count references.
  public mutating func process(
    _ samples: UnsafePointer<Float>, frameCount: Int, eachDecision: (Decision) -> Void
  ) {
    let samples = unsafe Row(reading: samples, count: frameCount)
    var done = 0
    while done < frameCount {
      done += append(samples.from(done), count: frameCount - done)
      if filled == length { eachDecision(decide()) }
    }
  }

  /// Analyses samples that do not cross the end of a 10 ms frame. If the samples complete the
  /// frame, this function returns a decision. If the samples do not complete the frame, this
  /// function returns nil.
  mutating func process(_ samples: Row<Float>, frameCount: Int) -> Decision? {
    _ = append(samples, count: frameCount)
    return filled == length ? decide() : nil
  }

  /// Clears the signal history and restarts the sample count at 0.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  public mutating func reset() {
    for index in 1...resampler.tapCount { samples[-index] = 0 }
    analysis.reset()
    (decisionCount, filled) = (0, 0)
    planFrame()
  }

  /// Adds samples up to the end of the current frame. Returns the number of added samples.
  private mutating func append(_ source: Row<Float>, count: Int) -> Int {
    let appended = min(count, length - filled)
    CallBlock.receive(source, to: samples.from(filled), count: appended, maximum: 1e6)
    filled += appended
    return appended
  }

  /// Analyses the complete frame.
  private mutating func decide() -> Decision {
    let start = sampleRate * Double(decisionCount) / 100 - Double(frameEnd - Int64(length))
    resampler.process(samples, length: length, start: start, to: analysis.frame)
    let earlier = samples.from(-resampler.tapCount)
    for index in 0..<resampler.tapCount { earlier[index] = earlier[index + length] }
    let (score, level) = analysis.finish()
    decisionCount += 1
    let decision = Decision(
      isVoice: score >= Decision.threshold, frame: frameEnd, score: score, level: level)
    filled = 0
    planFrame()
    return decision
  }

  /// Computes the end and the length of the current frame. Frames are counted from 0. The first
  /// sample of frame k has the index k · `sampleRate` / 100, rounded up.
  private mutating func planFrame() {
    frameEnd = edge(decisionCount + 1)
    length = Int(frameEnd - edge(decisionCount))
  }

  private func edge(_ count: Int64) -> Int64 { (sampleRate * Double(count) / 100).roundedUp }
}

extension VoiceActivityDetector {
  /// The decision on 10 ms of the signal.
  public struct Decision: Sendable, Equatable {
    /// Whether somebody talks. There is no hangover (a hold time after the end of a voice).
    public var isVoice: Bool

    /// The minimum score of a frame with voice: 0.5.
    public static let threshold: Float = 0.5

    /// The position of the end of the 10 ms frame, in samples since the detector was created or
    /// reset. Decisions are counted from 1. For decision k, the position is k · `sampleRate` / 100,
    /// rounded up.
    public var frame: Int64

    /// The probability that somebody talks, 0…1. A frame counts as voice if its score is at least
    /// ``threshold``. The spectral lines of a steady tone do not move. Therefore the score of a
    /// steady tone is always below the threshold.
    public var score: Float

    /// The level between 80 Hz and 4 kHz in dB relative to an RMS of 1.0, at least −120.
    public var level: Float

    /// Creates a decision with the given values.
    public init(isVoice: Bool, frame: Int64, score: Float, level: Float) {
      self.isVoice = isVoice
      self.frame = frame
      self.score = score
      self.level = level
    }
  }

  /// The features of the last decision.
  @_spi(Measuring) public func features() -> [Float] {
    (0..<VoiceFeatures.count).map { analysis.features.values[$0] }
  }
}

// The type is Sendable: the memory belongs only to this value, which cannot be copied. If the value
// moves to another thread, the old thread has no access to the memory.
extension VoiceActivityDetector: @unchecked Sendable {}
