internal import HearingDSP
internal import HearingBuffers

/// Computes the level of each 10 ms frame and the probability of voice, from samples at 8 kHz.
struct VoiceAnalysis: ~Copyable {
  /// The number of samples in the history (40 ms).
  static let historyLength = 320

  /// The last 40 ms of the signal. The newest sample is at the end.
  private let history = OwnedRow<Float>.filled(0, count: historyLength)

  /// The state of the high-pass filter that removes the DC offset.
  private var offset: Float = 0
  private(set) var features = VoiceFeatures()
  private var network = VoiceNetwork()

  /// The memory for the samples of the next frame.
  var frame: Row<Float> { history.from(Self.historyLength - NarrowbandResampler.frameLength) }

  mutating func reset() {
    history.fill(0)
    features.reset()
    network.reset()
    offset = 0
  }

  /// Analyses the samples in ``frame``, and then shifts the history by one frame.
  ///
  /// - Returns: The probability of voice, and the level in dB relative to an RMS of 1.0.
  mutating func finish() -> (score: Float, level: Float) {
    let samples = frame
    var sum: Float = 0
    for index in 0..<NarrowbandResampler.frameLength {
      let sample = samples[index]
      offset += (sample - offset) * 0.04
      samples[index] = sample - offset
      sum += samples[index] * samples[index]
    }
    let power = max(sum / Float(NarrowbandResampler.frameLength), 0.999_99e-12)
    let level = max(-120, Decibels.perOctaveOfPower * Float4(repeating: power).binaryLogarithm[0])
    features.update(endingAt: history.from(Self.historyLength))
    var score = network.score(features.values.row)
    let threshold = VoiceActivityDetector.Decision.threshold
    if features.haveStandingLines { score = min(score, threshold.nextDown) }
    let length = NarrowbandResampler.frameLength
    for index in 0..<Self.historyLength - length { history[index] = history[index + length] }
    return (score, level)
  }
}
