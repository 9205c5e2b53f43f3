internal import HearingDSP
internal import HearingBuffers

/// A small recurrent neural network for voice detection. From the features of each frame, the
/// network computes the probability that somebody talks.
///
/// The features are the input of a layer of 32 units with the activation function x / (1 + |x|). A
/// layer of 32 gated recurrent units follows. The states of these units contain information about
/// earlier frames. The activation function of the output is the logistic function.
/// `Benchmarks/voice/fit.py` fits the weights.
struct VoiceNetwork: ~Copyable {
  /// The number of input features.
  static let inputCount: Int = VoiceFeatures.count
  /// The number of units in each layer.
  static let unitCount = 32

  private let layers = Layers.fitted
  private let hidden = OwnedRow<Float>.filled(0, count: unitCount)
  private let state = OwnedRow<Float>.filled(0, count: unitCount)
  private let scratch: OwnedRow<Float>

  init() { scratch = .filled(0, count: layers.recurrent.scratchCount) }

  mutating func reset() { state.fill(0) }

  /// The probability of voice in a frame, 0…1.
  mutating func score(_ features: Row<Float>) -> Float {
    layers.input.multiply(features, to: hidden.row)
    for unit in groupStarts(Self.unitCount) {
      let sum = hidden.float4(at: unit)
      hidden.setFloat4(sum / (sum.magnitude + 1), at: unit)
    }
    layers.recurrent.advance(state.row, input: hidden.row, scratch: scratch.row)
    let sum = layers.outputWeights.product(state.row, count: Self.unitCount)
    return Float4(repeating: sum + layers.outputBias).logistic[0]
  }

  /// The fitted layers. The layers are decoded once, and all networks use the same layers.
  ///
  /// The type is Sendable because only `init` writes the weights. After `init`, the weights do not
  /// change.
  private struct Layers: @unchecked Sendable {
    let input: DenseLayer
    let recurrent: RecurrentLayer
    /// The weights of the output, one value per unit. The memory is never freed.
    let outputWeights: Row<Float>
    let outputBias: Float

    static let fitted = Self(FittedWeights.packed)

    /// - Parameter packed: The weights of the layers, in the order of the properties. The weights
    ///   of the first layer expect features that are scaled to mean 0 and standard deviation 1.
    ///   This initializer converts the weights of the first layer, so that the features need not be
    ///   scaled.
    private init(_ packed: consuming PackedWeights) {
      let (inputs, units) = (VoiceNetwork.inputCount, VoiceNetwork.unitCount)
      var weights = packed.read(inputs * units)
      var biases = packed.read(units)
      for input in 0..<inputs {
        for unit in 0..<units {
          weights[input * units + unit] /= FittedWeights.deviations[input]
          biases[unit] -= weights[input * units + unit] * FittedWeights.means[input]
        }
      }
      input = DenseLayer(weights: weights, biases: biases, inputCount: inputs)
      recurrent = packed.recurrentLayer(inputCount: units, unitCount: units)
      outputWeights = .filled(0, count: units)
      outputWeights.copy(packed.read(units))
      outputBias = packed.read(1)[0]
      packed.finish()
    }
  }
}
