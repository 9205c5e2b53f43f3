/// The lengths in which rendering is divided, for one sample rate.
struct RenderTiming: Sendable {
  /// Frames of a sub-block, a power of two: settings are taken up and ramps turn only at its edges.
  let subBlock: Int

  /// Frames of a window, a power of two and at least `subBlock`: once in each, while gains depend on
  /// level, levels become gains. Without a transition it is the sub-block.
  let window: Int

  /// Once in so many samples level detectors add energy up.
  ///
  /// Where two sounds are in a band, the energy moves with the difference of their frequencies. At
  /// low sample rates that is as fast as every fourth sample, and would stand still.
  let energyStride: Int

  /// Windows that levels have to settle before gains begin to follow them: 6 ms.
  let settlingWindows: Int

  /// Sub-blocks in which new settings come into force: 20 ms.
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
    settlingWindows = Int((0.006 * sampleRate / Double(window)).rounded(.up))
    transitionSteps = Int((0.020 * sampleRate / Double(subBlock)).rounded(.up))
    fadeFrames = Int((0.010 * sampleRate).rounded())
    peakChunks = Int((0.050 * sampleRate / Double(Self.chunk)).rounded(.up))
  }

  /// A raised cosine from 0 to 1 in `steps` steps.
  static func raisedCosine(steps: Int) -> UnsafeMutablePointer<Float> {
    let curve = UnsafeMutablePointer<Float>.allocate(capacity: steps + 1)
    for step in 0...steps {
      let share = (1 - Elementary.cosine(.pi * Double(step) / Double(steps))) / 2
      (curve + step).initialize(to: Float(share))
    }
    return curve
  }
}
