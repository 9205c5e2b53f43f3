/// The peak magnitudes of one channel, for level meters and for the detection of silence.
struct ChannelMeter {
  /// Two peaks in the current chunk of 256 frames: the peak of the input, and the peak of the
  /// signal after the broadband gain.
  var chunkInput: Float = 0
  var chunkFiltered: Float = 0

  /// The number of invalid input samples since the last reset. A sample is invalid if it is NaN or
  /// infinite, or if its magnitude is too large for real audio.
  var rejectedCount: UInt64 = 0

  private var currentInput: Float = 0
  private var currentOutput: Float = 0
  private var lastInput: Float = 0
  private var lastOutput: Float = 0

  /// The input peak in the current and the previous period of peak measurement. A complete period
  /// is 50 to 75 ms long.
  var inputPeak: Float { max(currentInput, lastInput) }

  var outputPeak: Float { max(currentOutput, lastOutput) }

  /// Records the peak of the input. If `isCorrected` is true, `peak` was measured after the
  /// headphone correction. A peak after the correction does not count for ``inputPeak``.
  mutating func recordInput(_ peak: Float, isCorrected: Bool = false) {
    chunkInput = max(chunkInput, peak)
    if !isCorrected { currentInput = max(currentInput, peak) }
  }

  mutating func recordFiltered(_ peak: Float) {
    chunkFiltered = max(chunkFiltered, peak)
  }

  mutating func recordOutput(_ peak: Float) {
    currentOutput = max(currentOutput, peak)
  }

  /// Records the input peak as the output peak, for a channel in bypass.
  mutating func recordBypass() {
    currentOutput = max(currentOutput, currentInput)
  }

  /// Ends a period of peak measurement and starts a new period.
  mutating func endPeriod() {
    (lastInput, lastOutput) = (currentInput, currentOutput)
    (currentInput, currentOutput) = (0, 0)
  }

  /// Ends a chunk of 256 frames.
  ///
  /// - Returns: true if the channel was silent. A channel is silent if all valid input samples are
  ///   at most −320 dB, and the signal after the broadband gain is below −160 dB.
  mutating func endChunk() -> Bool {
    let isSilent = chunkInput == 0 && chunkFiltered < Self.silenceFloor
    chunkInput = 0
    chunkFiltered = 0
    return isSilent
  }

  /// If the peak after the broadband gain is below this level of −160 dB, the channel may count as
  /// silent. The level is below the least significant bit of 24-bit samples.
  private static let silenceFloor: Float = 1e-8
}
