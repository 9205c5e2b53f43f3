/// What rendering keeps of one channel beside its sections.
struct ChannelState {
  var settings = ChannelSettings()
  var limiter: OutputLimiter

  /// Broadband gain at the last sub-block edge and at the next one.
  var broadband: Float = 1
  var nextBroadband: Float = 1

  /// Its logarithm to base 2 at the next edge, and at the start of the transition.
  var broadbandGain: Float = 0
  var startBroadbandGain: Float = 0
  /// What the levels ask for at the next edge of a window.
  var broadbandAim: Float = 0
  /// What they asked for at the last one.
  var pastBroadbandAim: Float = 0

  /// Whether levels stay as they are in the window under way, because samples were broken.
  var holdsLevels = false
  /// For how many windows more they stay so.
  var heldWindows = 0

  /// Greatest magnitudes since the last chunk edge: of the input, and behind the cascade.
  var chunkInput: Float = 0
  var chunkFiltered: Float = 0

  /// Greatest magnitudes of the running peak period and the one before.
  var inputPeak: Float = 0
  var outputPeak: Float = 0
  var lastInputPeak: Float = 0
  var lastOutputPeak: Float = 0

  init(sampleRate: Double) {
    limiter = OutputLimiter(sampleRate: sampleRate)
  }

  /// Forgets the sound heard so far.
  @_noLocks @_noAllocation @inline(__always)
  mutating func clear() {
    limiter.reset()
    holdsLevels = false
    heldWindows = 0
    chunkInput = 0
    chunkFiltered = 0
    inputPeak = 0
    outputPeak = 0
    lastInputPeak = 0
    lastOutputPeak = 0
  }

  /// Ends a peak period.
  @_noLocks @_noAllocation @inline(__always)
  mutating func turnPeaks() {
    lastInputPeak = inputPeak
    lastOutputPeak = outputPeak
    inputPeak = 0
    outputPeak = 0
  }
}
