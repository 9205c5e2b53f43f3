internal import HearingDSP
internal import HearingBuffers

/// Computes the gains that preserve speech and suppress all other sounds. A recurrent network
/// computes a gain for each band from the levels of the bands so far.
struct SpeechGain: ~Copyable {
  /// The gains of the last frame, `[bin]`.
  let gains: Row<Float>

  private var bands: SpeechBands
  private var network: SpeechNetwork
  private let memory: FloatMemory
  private let levels: Row<Float>

  init(bins: Int, stride: Int, sampleRate: Double) {
    bands = SpeechBands(bins: bins, sampleRate: sampleRate)
    network = SpeechNetwork()
    var memory = FloatMemory(capacity: stride + SpeechBands.stride)
    gains = memory.allocate(stride)
    levels = memory.allocate(SpeechBands.stride)
    self.memory = memory
  }

  /// Clears all state.
  mutating func reset() {
    bands.reset()
    network.reset()
    memory.clear()
  }

  /// Computes the gains of a frame.
  ///
  /// - Parameters:
  ///   - signal: Power of the signal, `[bin]`.
  ///   - floor: The minimum gain.
  mutating func update(signal: Row<Float>, floor: Float) {
    bands.measure(signal, to: levels)
    network.update(levels: levels)
    bands.spread(network.gains, floor: floor, to: gains)
  }
}
