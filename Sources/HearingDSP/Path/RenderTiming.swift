/// The lengths of runs, windows and transitions at one sample rate, in frames.
struct RenderTiming: Sendable {
  /// The length of a sub-block in frames, a power of two. New settings take effect only at
  /// sub-block edges. Ramps also end at sub-block edges, except during a transition. During a
  /// transition, every ramp is `transitionStep` frames long.
  let subBlock: Int

  /// The length of a window in frames, a power of two and at least `subBlock`.
  ///
  /// Gains that depend on level are computed from the levels once per window. Outside a transition,
  /// each ramp of such a gain is one window long.
  let window: Int

  /// The level detectors compute an energy at every `energyStride`th sample.
  ///
  /// With two tones in a band, the energy oscillates at the difference of their frequencies. At low
  /// sample rates this oscillation would alias if only every fourth sample was used.
  let energyStride: Int

  /// The number of windows in which levels settle before gains begin to follow the levels: 10 ms.
  let settlingWindows: Int

  /// The number of windows for which levels are held after invalid samples: 2.5 ms. In this time,
  /// the detectors recover from the gap.
  let recoveryWindows: Int

  /// The length of a transition step in frames, a power of two. The step is no longer than
  /// `subBlock` and no longer than 0.37 ms.
  let transitionStep: Int

  /// The number of steps of a transition of 20 ms. Greater gain changes use two or four times as
  /// many steps. Every transition ends at a sub-block edge.
  let shortTransition: Int

  /// The number of steps of a transition that continues another transition: 30 ms.
  let repeatedTransition: Int

  /// The length of the fade in frames when processing is enabled or disabled: 10 ms.
  let fadeFrames: Int

  /// The number of chunks (50 ms) in a peak period.
  let peakChunks: Int

  /// The length of a chunk in frames. A run is at most one chunk long. The states of silent
  /// channels are cleared at chunk edges. Chunks are counted from the first frame ever processed.
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
