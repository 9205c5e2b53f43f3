/// The lengths of runs, windows and transitions at one sample rate, in frames.
struct RenderTiming: Sendable {
  /// Frames of a sub-block, a power of two. New settings take effect only at sub-block edges. Ramps
  /// end there too, except during a transition, when they are `transitionStep` frames long.
  let subBlock: Int

  /// Frames of a window, a power of two and at least `subBlock`. While gains depend on level, they
  /// are computed from the levels once per window, and outside a transition ramps are a window
  /// long.
  let window: Int

  /// The level detectors compute an energy at every `energyStride`th sample.
  ///
  /// With two sounds in a band the energy oscillates at the difference of their frequencies. At low
  /// sample rates, using only every fourth sample would alias this oscillation.
  let energyStride: Int

  /// Windows in which levels settle before gains begin to follow them: 10 ms.
  let settlingWindows: Int

  /// Windows for which levels are held after invalid samples, until the gap no longer affects the
  /// detectors: 2.5 ms.
  let recoveryWindows: Int

  /// Frames of a step of a transition, at most `subBlock`, a power of two and no more than 0.37 ms.
  let transitionStep: Int

  /// Steps of a transition of 20 ms; greater changes take two or four times as long. All
  /// transitions end at the edge of a sub-block.
  let shortTransition: Int

  /// Steps of a transition that continues another one: 30 ms.
  let repeatedTransition: Int

  /// Frames in which processing fades in or out: 10 ms.
  let fadeFrames: Int

  /// Chunks over which peaks are held: 50 ms.
  let peakChunks: Int

  /// Frames of a chunk: the longest run, and the interval at which silent states are cleared.
  /// Chunks are counted from the first frame ever processed.
  static let chunk = 256

  init(sampleRate: Double) {
    subBlock = sampleRate < 24_000 ? 8 : sampleRate < 64_000 ? 16 : 32
    window = sampleRate < 40_000 ? 2 * subBlock : 4 * subBlock
    energyStride = sampleRate < 40_000 ? 1 : DetectorBank.sparseStride
    settlingWindows = Int((0.010 * sampleRate / Double(window)).rounded(.up))
    recoveryWindows = Int((0.0025 * sampleRate / Double(window)).rounded(.up))
    var step = subBlock
    while Double(step) > 0.000_37 * sampleRate { step /= 2 }
    transitionStep = step
    let subBlocks = Int((0.020 * sampleRate / Double(subBlock)).rounded(.up))
    shortTransition = subBlocks * (subBlock / step)
    repeatedTransition = (subBlocks + (subBlocks + 1) / 2) * (subBlock / step)
    fadeFrames = Int((0.010 * sampleRate).rounded())
    peakChunks = Int((0.050 * sampleRate / Double(Self.chunk)).rounded(.up))
  }
}
