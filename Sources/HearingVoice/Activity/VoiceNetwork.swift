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
  /// Weights of the hidden layer, `[feature][unit]`.
  private let weights: UnsafeMutablePointer<Float>
  private let biases: UnsafeMutablePointer<Float>
  private let outputs: UnsafeMutablePointer<Float>
  private let outputBias: Float
  private let hidden: UnsafeMutablePointer<Float>

  /// The network with the fitted weights, converted for features that are not normalised.
  init() {
    let fitted = FittedWeights.numbers
    let width = Self.hiddenCount
    let inputCount = Self.inputCount
    precondition(
      fitted.count == (inputCount + 2) * width + 1,
      "\(fitted.count) weights do not fit a network of \(inputCount) inputs and \(width) units")
    var memory = FloatMemory(capacity: (inputCount + 3) * width)
    weights = memory.take(inputCount * width)
    biases = memory.take(width)
    outputs = memory.take(width)
    hidden = memory.take(width)
    self.memory = memory
    outputBias = fitted[(inputCount + 2) * width]
    for unit in 0..<width {
      var bias = fitted[inputCount * width + unit]
      for input in 0..<inputCount {
        let weight = fitted[input * width + unit] / FittedWeights.deviations[input]
        weights[input * width + unit] = weight
        bias -= weight * FittedWeights.means[input]
      }
      biases[unit] = bias
      outputs[unit] = fitted[(inputCount + 1) * width + unit]
    }
  }

  /// The probability of voice, 0…1.
  @_noLocks @_noAllocation
  func score(_ features: UnsafeMutablePointer<Float>) -> Float {
    var a = biases.float4(at: 0)
    var b = biases.float4(at: 4)
    var c = biases.float4(at: 8)
    var d = biases.float4(at: 12)
    var e = biases.float4(at: 16)
    var f = biases.float4(at: 20)
    for input in 0..<Self.inputCount {
      let x = features[input]
      let row = weights + input * Self.hiddenCount
      a += row.float4(at: 0) * x
      b += row.float4(at: 4) * x
      c += row.float4(at: 8) * x
      d += row.float4(at: 12) * x
      e += row.float4(at: 16) * x
      f += row.float4(at: 20) * x
    }
    hidden.setFloat4(a, at: 0)
    hidden.setFloat4(b, at: 4)
    hidden.setFloat4(c, at: 8)
    hidden.setFloat4(d, at: 12)
    hidden.setFloat4(e, at: 16)
    hidden.setFloat4(f, at: 20)
    return output()
  }

  /// The probability from the sums of the hidden layer. This is a separate function, because inside
  /// the loop above it would break up the SIMD vectors.
  @_noLocks @_noAllocation @inline(never)
  private func output() -> Float {
    var sum = Float4.zero
    for vector in 0..<6 {
      let x = hidden.float4(at: 4 * vector)
      let magnitude = x.replacing(with: -x, where: x .< Float4.zero)
      sum += x / (magnitude + 1) * outputs.float4(at: 4 * vector)
    }
    let logit = max(-40, min(40, sum.sum() + outputBias))
    return 1 / (1 + Float4(repeating: logit * -1.442_695).powerOfTwo[0])
  }
}
