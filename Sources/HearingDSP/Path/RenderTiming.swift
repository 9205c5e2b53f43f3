/// The lengths of the time intervals of the signal path at one sample rate. For example, gains that
/// depend on the level are computed once per window.
struct RenderTiming: Sendable {
  /// The length of a sub-block in frames, a power of two. New settings take effect only at the
  /// start of a sub-block. A transition is the smooth change from the previous gains to the gains
  /// of new settings. Outside a transition, every gain ramp ends at the end of a sub-block. During
  /// a transition, every gain ramp is `transitionStep` frames long.
  let subBlock: Int

  /// The length of a window in frames, a power of two and at least `subBlock`.
  ///
  /// Gains that depend on the level are computed once per window. Outside a transition, each ramp
  /// of a level-dependent gain is one window long.
  let window: Int

  /// The level detectors compute the energy of the signal at every `energyStride`th sample.
  ///
  /// If a band contains two tones, the energy of the band fluctuates at the difference of the two
  /// frequencies. At low sample rates, an energy at only every fourth sample would cause aliasing
  /// of the fluctuations. Therefore the detectors compute an energy at every sample.
  let energyStride: Int

  /// The number of windows from the start of level measurement until the measured levels have
  /// settled. The settling time is 10 ms, rounded up to whole windows. During the settling time,
  /// gains do not follow the levels.
  let settlingWindows: Int

  /// The number of windows for which the measured levels stay constant after invalid samples. The
  /// duration is 2.5 ms, rounded up to whole windows. During this time, the detectors recover from
  /// the invalid samples.
  let recoveryWindows: Int

  /// The length of each gain ramp during a transition, in frames. The length is a power of two. The
  /// length of a ramp is at most `subBlock` frames, and at most 0.37 ms.
  let transitionStep: Int

  /// The number of steps of the shortest transition (20 ms). A step is one ramp of `transitionStep`
  /// frames. A transition with a gain change of more than 20.5 dB has two or four times as many
  /// steps as the shortest transition. Every transition ends at the end of a sub-block.
  let shortTransition: Int

  /// The minimum number of steps of a transition that interrupts another transition. The minimum
  /// duration is 30 ms.
  let repeatedTransition: Int

  /// The length of a cross-fade in frames. The cross-fade takes 10 ms, and starts when processing
  /// is enabled or disabled.
  let fadeFrames: Int

  /// The number of chunks of 256 frames in a period of peak measurement. A period is 50 to 75 ms
  /// long.
  let peakChunks: Int

  /// The length of a chunk in frames. All stages process a run of frames together, and a run is at
  /// most one chunk long. The filter states of silent channels are cleared at the end of a chunk.
  /// Chunks are counted from the first processed frame.
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
