/// The peak magnitudes of one channel, for level meters and for detecting silence.
struct ChannelMeter {
  /// Since the last chunk edge: the peak of the input, and the peak of the output of the broadband
  /// gain.
  var chunkInput: Float = 0
  var chunkFiltered: Float = 0

  /// The number of invalid input samples since the last reset. A sample is invalid if it is NaN,
  /// infinite or implausibly large.
  var rejectedCount: UInt64 = 0

  private var currentInput: Float = 0
  private var currentOutput: Float = 0
  private var lastInput: Float = 0
  private var lastOutput: Float = 0

  /// The input peak of the current and the previous peak period.
  var inputPeak: Float { max(currentInput, lastInput) }

  var outputPeak: Float { max(currentOutput, lastOutput) }

  mutating func recordInput(_ peak: Float) {
    chunkInput = max(chunkInput, peak)
    currentInput = max(currentInput, peak)
  }

  mutating func recordFiltered(_ peak: Float) {
    chunkFiltered = max(chunkFiltered, peak)
  }

  mutating func recordOutput(_ peak: Float) {
    currentOutput = max(currentOutput, peak)
  }

  /// Records that the output equals the input.
  mutating func recordBypass() {
    currentOutput = max(currentOutput, currentInput)
  }

  /// Ends a peak period.
  mutating func endPeriod() {
    (lastInput, lastOutput) = (currentInput, currentOutput)
    (currentInput, currentOutput) = (0, 0)
  }

  /// Ends a chunk.
  ///
  /// - Returns: whether the channel was silent. A silent channel has no input, and the output of
  ///   its broadband gain is below −160 dB.
  mutating func endChunk() -> Bool {
    let isSilent = chunkInput == 0 && chunkFiltered < Self.silenceFloor
    chunkInput = 0
    chunkFiltered = 0
    return isSilent
  }

  /// −160 dB, below the least significant bit of 24-bit samples.
  private static let silenceFloor: Float = 1e-8
}
