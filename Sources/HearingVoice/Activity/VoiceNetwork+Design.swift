extension VoiceNetwork {
  /// Numbers that are kept.
  static var storage: Int { (inputCount + 3) * hiddenCount }

  /// The network with the weights that were fitted, for features as they are.
  init(store: inout FloatStore) {
    let fitted = FittedWeights.numbers
    let width = Self.hiddenCount
    let inputCount = Self.inputCount
    precondition(fitted.count == (inputCount + 2) * width + 1, "\(fitted.count) weights do not fit")
    let weights = store.take(inputCount * width)
    let biases = store.take(width)
    let outputs = store.take(width)
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
    self.init(
      weights: weights, biases: biases, outputs: outputs,
      outputBias: fitted[(inputCount + 2) * width], hidden: store.take(width))
  }
}
