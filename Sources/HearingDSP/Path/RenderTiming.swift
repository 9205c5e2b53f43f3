/// The lengths of sub-blocks, windows, transitions, fades and peak periods at one sample rate.
struct RenderTiming: Sendable {
  /// The length of a sub-block in frames, a power of two. New settings take effect only at the
  /// start of a sub-block. Outside a transition, every gain ramp ends at the end of a sub-block.
  /// During a transition, every gain ramp is `transitionStep` frames long.
  let subBlock: Int

  /// The length of a window in frames, a power of two and at least `subBlock`.
  ///
  /// Gains that depend on the level are computed once per window. Outside a transition, each ramp
  /// of a level-dependent gain is one window long.
  let window: Int

  /// The level detectors compute an energy at every `energyStride`th sample.
  ///
  /// If a band contains two tones, the energy of the band fluctuates at the difference of the two
  /// frequencies. At low sample rates, every sample is used, because every fourth sample would
  /// cause aliasing of the fluctuations.
  let energyStride: Int

  /// The number of windows from a start until the measured levels have settled: 10 ms, rounded up.
  /// Until then, gains do not follow the levels.
  let settlingWindows: Int

  /// The number of windows in which levels are held after invalid samples: 2.5 ms, rounded up.
  /// During this time, the detectors recover from the invalid samples.
  let recoveryWindows: Int

  /// The length of each gain ramp during a transition, in frames. The length is a power of two. The
  /// length of a ramp is at most `subBlock` frames, and at most 0.37 ms.
  let transitionStep: Int

  /// The number of steps of the shortest transition (20 ms). A step is one ramp of `transitionStep`
  /// frames. A transition with a greater gain change has two or four times as many steps as the
  /// shortest transition. Every transition ends at the end of a sub-block.
  let shortTransition: Int

  /// The minimum number of steps of a transition that interrupts another transition (30 ms).
  let repeatedTransition: Int

  /// The length in frames (10 ms) of the cross-fade after processing is enabled or disabled.
  let fadeFrames: Int

  /// The number of chunks in a peak period. A peak period takes 50 to 75 ms.
  let peakChunks: Int

  /// The length of a chunk in frames. A run is at most one chunk long. The filter states of silent
  /// channels are cleared at the end of a chunk. Chunks are counted from the first processed frame.
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
