internal import HearingDSP

/// What a detector knows of the sound heard so far, at 8 kHz.
struct VoiceAnalysis {
  /// Samples at 8 kHz that are kept: what the longest analysis window needs.
  static var historyLength: Int {
    @_noLocks @_noAllocation @inline(__always) get { 320 }
  }

  /// The score from which on a frame counts as voice.
  static var threshold: Float {
    @_noLocks @_noAllocation @inline(__always) get { 0.5 }
  }

  /// The sound heard last, the newest sample at the end.
  let history: UnsafeMutablePointer<Float>

  /// How likely it is that somebody talks, after the last frame.
  private(set) var score: Float = 0
  /// Level of the last frame in dB relative to an RMS value of 1.0.
  private(set) var level: Float = -120

  /// State of the high-pass that takes the offset away.
  private var offset: Float = 0
  private(set) var features: VoiceFeatures
  private let network: VoiceNetwork

  /// An analysis of nothing yet.
  init(store: inout FloatStore) {
    history = store.take(Self.historyLength)
    features = VoiceFeatures(store: &store)
    network = VoiceNetwork(store: &store)
  }

  func deallocate() { features.deallocate() }

  /// Numbers that are kept.
  static var storage: Int { 320 + VoiceFeatures.storage + VoiceNetwork.storage }

  /// Where the next frame's samples belong.
  var frame: UnsafeMutablePointer<Float> {
    @_noLocks @_noAllocation get {
      history + (Self.historyLength - NarrowbandResampler.frameLength)
    }
  }

  /// Forgets the sound heard so far.
  @_noLocks @_noAllocation
  mutating func clear() {
    for index in 0..<Self.historyLength { history[index] = 0 }
    features.clear()
    score = 0
    level = -120
    offset = 0
  }

  /// Makes room for the next frame.
  @_noLocks @_noAllocation
  func advance() {
    let length = NarrowbandResampler.frameLength
    for index in 0..<(Self.historyLength - length) { history[index] = history[index + length] }
  }

  /// Takes in the frame that has been written to ``frame``.
  @_noLocks @_noAllocation
  mutating func finish() {
    let samples = frame
    var sum: Float = 0
    for index in 0..<NarrowbandResampler.frameLength {
      let sample = samples[index]
      offset += (sample - offset) * 0.04
      samples[index] = sample - offset
      sum += samples[index] * samples[index]
    }
    let power = max(sum / Float(NarrowbandResampler.frameLength), 0.999_99e-12)
    level = max(-120, 3.010_3 * Float4(repeating: power).binaryLogarithm[0])
    features.hear(endingAt: history + Self.historyLength)
    score = network.score(features.values)
    if features.haveStandingLines {
      score = min(score, Self.threshold.nextDown)
    }
  }
}
