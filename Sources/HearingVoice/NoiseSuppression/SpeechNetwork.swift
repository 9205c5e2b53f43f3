internal import HearingBuffers

/// A small recurrent neural network for noise suppression. For each frame, the network estimates
/// how much of each band is speech.
///
/// The levels of the bands are the input of a layer of 64 units. Two layers of 64 gated recurrent
/// units follow (Cho et al., EMNLP 2014). The states of the recurrent units contain information
/// about earlier frames. The states of both recurrent layers are the input of the output layer.
/// `Benchmarks/voice/suppression_fit.py` fits the weights.
struct SpeechNetwork: ~Copyable {
  /// The number of units in each layer.
  static let unitCount = 64

  /// The gain of each band in the last frame, 0…1. A gain is the estimated fraction of speech in
  /// the band.
  let gains = OwnedRow<Float>.filled(0, count: unitCount)

  private let layers = Self.layers
  private let input = OwnedRow<Float>.filled(0, count: unitCount)
  /// The states of both recurrent layers, one after the other. The states are the input of the
  /// output layer.
  private let states = OwnedRow<Float>.filled(0, count: 2 * unitCount)
  private let scratch: OwnedRow<Float>

  init() { scratch = .filled(0, count: layers.first.scratchCount) }

  mutating func reset() { states.fill(0) }

  /// Computes the gains of a frame.
  ///
  /// - Parameter levels: The levels of the bands from ``SpeechBands``, two values per band.
  mutating func update(levels: Row<Float>) {
    let units = Self.unitCount
    layers.input.multiply(levels, to: input.row)
    for unit in groupStarts(units) {
      input.setFloat4(input.float4(at: unit).hyperbolicTangent, at: unit)
    }
    layers.first.advance(states.row, input: input.row, scratch: scratch.row)
    layers.second.advance(states.from(units), input: states.row, scratch: scratch.row)
    layers.output.multiply(states.row, to: gains.row)
    for unit in groupStarts(units) { gains.setFloat4(gains.float4(at: unit).logistic, at: unit) }
  }

  /// The fitted layers. The layers are decoded once, and all networks use the same layers.
  private static let layers = {
    var packed = FittedSpeechWeights.packed
    let layers = (
      input: packed.layer(inputCount: SpeechBands.inputCount, outputCount: unitCount),
      first: packed.recurrentLayer(inputCount: unitCount, unitCount: unitCount),
      second: packed.recurrentLayer(inputCount: unitCount, unitCount: unitCount),
      output: packed.layer(inputCount: 2 * unitCount, outputCount: SpeechBands.count)
    )
    packed.finish()
    return layers
  }()
}
