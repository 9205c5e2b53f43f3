internal import HearingBuffers

/// A small recurrent network. For each frame, the network estimates how much of each band is
/// speech.
///
/// The levels of the bands are the input of a layer of 64 units. Two layers of 64 gated recurrent
/// units (Cho et al., EMNLP 2014) add the memory of earlier frames. The output layer uses the
/// states of both layers. `Benchmarks/voice/suppression_fit.py` fits the weights.
struct SpeechNetwork: ~Copyable {
  /// The number of units in each layer.
  static let unitCount = 64

  /// The gains of the bands in the last frame, 0…1, one value per band.
  let gains = OwnedRow<Float>.filled(0, count: unitCount)

  private let weights = SpeechNetworkWeights.fitted
  private let input = OwnedRow<Float>.filled(0, count: unitCount)
  /// The states of both recurrent layers, one after the other. The states are also the inputs of
  /// the output layer.
  private let states = OwnedRow<Float>.filled(0, count: 2 * unitCount)
  private let scratch: OwnedRow<Float>

  init() { scratch = .filled(0, count: weights.first.scratchCount) }

  mutating func reset() { states.fill(0) }

  /// Computes the gains of a frame.
  ///
  /// - Parameter levels: The levels of the bands, one value per band.
  mutating func update(levels: Row<Float>) {
    let units = Self.unitCount
    weights.input.multiply(levels, to: input.row)
    for unit in vectors(units) {
      input.setFloat4(input.float4(at: unit).hyperbolicTangent, at: unit)
    }
    weights.first.advance(states.row, input: input.row, scratch: scratch.row)
    weights.second.advance(states.from(units), input: states.row, scratch: scratch.row)
    weights.output.multiply(states.row, to: gains.row)
    for unit in vectors(units) {
      gains.setFloat4(gains.float4(at: unit).logistic, at: unit)
    }
  }
}

/// The layers of the speech network. The layers are decoded once and shared by all networks.
struct SpeechNetworkWeights: Sendable {
  let input: DenseLayer
  let first: RecurrentLayer
  let second: RecurrentLayer
  let output: DenseLayer

  /// The fitted layers.
  static let fitted = Self(FittedSpeechWeights.packed)

  /// - Parameter packed: The weights of the layers, in the order of the properties.
  private init(_ packed: consuming PackedWeights) {
    let (bands, units) = (SpeechBands.count, SpeechNetwork.unitCount)
    input = packed.layer(inputCount: bands, outputCount: units)
    first = packed.recurrentLayer(inputCount: units, unitCount: units)
    second = packed.recurrentLayer(inputCount: units, unitCount: units)
    output = packed.layer(inputCount: 2 * units, outputCount: bands)
    packed.finish()
  }
}
