/// The peak magnitudes of one channel, for level meters and for detecting silence.
struct ChannelMeter {
  /// The peaks of the input and of the output of the broadband gain since the last chunk edge.
  var chunkInput: Float = 0
  var chunkFiltered: Float = 0

  /// Input samples that were not finite or implausibly large, since the last reset.
  var rejectedCount: UInt64 = 0

  private var currentInput: Float = 0
  private var currentOutput: Float = 0
  private var lastInput: Float = 0
  private var lastOutput: Float = 0

  /// The peak of this peak period and the previous one.
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

  /// Records output that equals the input.
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
  /// - Returns: whether the channel was silent: no input, and nothing audible left in its filters.
  mutating func endChunk() -> Bool {
    let isSilent = chunkInput == 0 && chunkFiltered < Self.silenceFloor
    chunkInput = 0
    chunkFiltered = 0
    return isSilent
  }

  /// −160 dB, below the least significant bit of 24-bit samples.
  private static let silenceFloor: Float = 1e-8
}
