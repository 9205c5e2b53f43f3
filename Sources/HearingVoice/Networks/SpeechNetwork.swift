internal import HearingDSP
internal import HearingBuffers

/// A small recurrent network that estimates, frame by frame, how much of each band is speech.
///
/// The levels of the bands enter a layer of 64 units. Two layers of 64 gated recurrent units (K.
/// Cho et al., EMNLP 2014) add the memory of earlier frames. The output layer uses the states of
/// both layers. `Benchmarks/voice/suppression_fit.py` fits the weights.
struct SpeechNetwork: ~Copyable {
  /// The number of units in each layer.
  static let unitCount = 64

  /// The gains of the bands in the last frame, 0…1, `[band]`.
  let gains: Row<Float>

  private let weights: SpeechNetworkWeights
  private let memory: FloatMemory
  private let input: Row<Float>
  /// The states of both recurrent layers, one after the other. They are also the inputs of the
  /// output layer.
  private let states: Row<Float>
  private let scratch: Row<Float>

  init() {
    weights = SpeechNetworkWeights.fitted
    let units = Self.unitCount
    let scratchCount = max(weights.first.scratchCount, weights.second.scratchCount)
    var memory = FloatMemory(capacity: 4 * units + scratchCount)
    input = memory.allocate(units)
    states = memory.allocate(2 * units)
    scratch = memory.allocate(scratchCount)
    gains = memory.allocate(units)
    self.memory = memory
  }

  mutating func reset() { memory.clear() }

  /// Computes the gains of a frame.
  ///
  /// - Parameter levels: The levels of the bands, `[band]`.
  mutating func update(levels: Row<Float>) {
    let units = Self.unitCount
    weights.input.multiply(levels, to: input)
    var unit = 0
    while unit < units {
      input.setFloat4(input.float4(at: unit).hyperbolicTangent, at: unit)
      unit += 4
    }
    weights.first.advance(states, input: input, scratch: scratch)
    weights.second.advance(states.from(units), input: states, scratch: scratch)
    weights.output.multiply(states, to: gains)
    unit = 0
    while unit < units {
      gains.setFloat4(gains.float4(at: unit).logistic, at: unit)
      unit += 4
    }
  }
}
