internal import HearingDSP

/// A small neural network that turns features into the probability that somebody talks.
///
/// One hidden layer of 24 units with the activation x / (1 + |x|), then one logistic output.
struct VoiceNetwork: ~Copyable {
  /// Input features.
  static var inputCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { VoiceFeatures.count }
  }
  /// Units of the hidden layer.
  static var hiddenCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { 24 }
  }

  private let memory: FloatMemory
  private let layer: DenseLayer
  /// The output's weights, `[unit]`; 0 for the units with which the layer is padded.
  private let outputs: UnsafeMutablePointer<Float>
  private let outputBias: Float
  private let hidden: UnsafeMutablePointer<Float>

  init() {
    layer = Self.fittedLayer
    let fitted = FittedWeights.numbers
    let (width, inputCount) = (Self.hiddenCount, Self.inputCount)
    var memory = FloatMemory(capacity: 2 * layer.outputCount)
    outputs = memory.take(layer.outputCount)
    hidden = memory.take(layer.outputCount)
    self.memory = memory
    for unit in 0..<width { outputs[unit] = fitted[(inputCount + 1) * width + unit] }
    outputBias = fitted[(inputCount + 2) * width]
  }

  /// The hidden layer with the fitted weights, converted for features that are not normalised.
  private static let fittedLayer: DenseLayer = {
    let fitted = FittedWeights.numbers
    precondition(
      fitted.count == (inputCount + 2) * hiddenCount + 1,
      "\(fitted.count) weights do not fit a network of \(inputCount) inputs and \(hiddenCount) units"
    )
    var weights = Array(fitted.prefix(inputCount * hiddenCount))
    var biases = Array(fitted.dropFirst(inputCount * hiddenCount).prefix(hiddenCount))
    for input in 0..<inputCount {
      for unit in 0..<hiddenCount {
        weights[input * hiddenCount + unit] /= FittedWeights.deviations[input]
        biases[unit] -= weights[input * hiddenCount + unit] * FittedWeights.means[input]
      }
    }
    return DenseLayer(weights: weights, biases: biases, inputCount: inputCount)
  }()

  /// The probability of voice, 0…1.
  @_noLocks @_noAllocation
  func score(_ features: UnsafeMutablePointer<Float>) -> Float {
    layer.multiply(features, to: hidden)
    var sum = Float4.zero
    for vector in 0..<Self.hiddenCount / 4 {
      let x = hidden.float4(at: 4 * vector)
      let magnitude = x.replacing(with: -x, where: x .< Float4.zero)
      sum += x / (magnitude + 1) * outputs.float4(at: 4 * vector)
    }
    let logit = max(-40, min(40, sum.sum() + outputBias))
    return 1 / (1 + Float4(repeating: logit * -1.442_695).powerOfTwo[0])
  }
}
