/// The lengths in which rendering is divided, for one sample rate.
struct RenderTiming: Sendable {
  /// Frames of a sub-block, a power of two: settings are taken up only at its edges, and ramps turn
  /// there; while settings change, at those of each `motion`.
  let subBlock: Int

  /// Frames of a window, a power of two and at least `subBlock`: once in each, while gains depend on
  /// level, levels become gains. Without a transition it is the sub-block.
  let window: Int

  /// Once in so many samples level detectors add energy up.
  ///
  /// Where two sounds are in a band, the energy moves with the difference of their frequencies. At
  /// low sample rates that is as fast as every fourth sample, and would stand still.
  let energyStride: Int

  /// Windows that levels have to settle before gains begin to follow them: 10 ms.
  let settlingWindows: Int

  /// Windows for which levels stay as they are after broken samples, while the detectors forget what
  /// was missing: 2.5 ms.
  let recoveryWindows: Int

  /// Frames of a step of a transition, a part of `subBlock`: so short are the straight lines along
  /// which coefficients run while new settings come into force. Their corners make images of the
  /// sound at multiples of the rate of steps, where the gain may be 60 dB more than that of the sound.
  let motion: Int

  /// Steps in which the greatest changes come into force: 80 ms. Lesser ones take two or four steps
  /// at a time; all end at the edge of a sub-block.
  let transitionSteps: Int

  /// Frames in which processing fades in or out: 10 ms.
  let fadeFrames: Int

  /// Chunks over which peaks are held: 50 ms.
  let peakChunks: Int

  /// Frames of a chunk, counted from the first frame ever: the longest run, and how often states
  /// that have died away are cleared.
  static var chunk: Int {
    @_noLocks @_noAllocation @inline(__always) get { 256 }
  }

  init(sampleRate: Double) {
    subBlock = sampleRate < 24_000 ? 8 : sampleRate < 64_000 ? 16 : 32
    window = sampleRate < 40_000 ? 2 * subBlock : 4 * subBlock
    energyStride = sampleRate < 40_000 ? 1 : DetectorBank.sparseStride
    settlingWindows = Int((0.010 * sampleRate / Double(window)).rounded(.up))
    recoveryWindows = Int((0.0025 * sampleRate / Double(window)).rounded(.up))
    motion = sampleRate < 24_000 ? 1 : subBlock / 4
    let subBlocks = Int((0.020 * sampleRate / Double(subBlock)).rounded(.up))
    transitionSteps = 4 * subBlocks * (subBlock / motion)
    fadeFrames = Int((0.010 * sampleRate).rounded())
    peakChunks = Int((0.050 * sampleRate / Double(Self.chunk)).rounded(.up))
  }
}
