internal import HearingDSP
internal import HearingBuffers

/// Computes the gains that keep speech and suppress all other sounds. A recurrent network computes
/// a gain for each band from the current and earlier levels of the bands.
struct SpeechGain: ~Copyable {
  /// The gains of the last frame, `[bin]`.
  let gains: OwnedRow<Float>

  private var bands: SpeechBands
  private var network: SpeechNetwork
  private let levels: OwnedRow<Float>

  init(bins: Int, stride: Int, sampleRate: Double) {
    bands = SpeechBands(bins: bins, sampleRate: sampleRate)
    network = SpeechNetwork()
    gains = .filled(0, count: stride)
    levels = .filled(0, count: SpeechBands.stride)
  }

  /// Clears all state.
  mutating func reset() {
    bands.reset()
    network.reset()
    gains.fill(0)
    levels.fill(0)
  }

  /// Computes the gains of a frame.
  ///
  /// - Parameters:
  ///   - signal: The power of the signal, `[bin]`.
  ///   - floor: The minimum gain.
  mutating func update(signal: Row<Float>, floor: Float) {
    bands.measure(signal, to: levels.row)
    network.update(levels: levels.row)
    bands.spread(network.gains.row, floor: floor, to: gains.row)
  }
}
