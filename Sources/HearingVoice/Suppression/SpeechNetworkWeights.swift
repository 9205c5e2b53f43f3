/// The weights of the speech network, decoded once and shared by all networks.
struct SpeechNetworkWeights: Sendable {
  let input: DenseLayer
  let first: DenseLayer
  let firstState: DenseLayer
  let second: DenseLayer
  let secondState: DenseLayer
  let output: DenseLayer

  /// The fitted weights.
  static let fitted = Self(FittedSpeechWeights.numbers)

  /// - Parameter numbers: The layers in the order above, each `[input][output]` and then its biases.
  private init(_ numbers: [Float]) {
    let (bands, units) = (SpeechBands.count, SpeechNetwork.unitCount)
    var numbers = numbers[...]
    func layer(_ inputCount: Int, _ outputCount: Int) -> DenseLayer {
      let weights = numbers.prefix(inputCount * outputCount)
      numbers = numbers.dropFirst(inputCount * outputCount)
      let biases = numbers.prefix(outputCount)
      numbers = numbers.dropFirst(outputCount)
      return DenseLayer(weights: Array(weights), biases: Array(biases), inputCount: inputCount)
    }
    input = layer(bands, units)
    first = layer(units, 3 * units)
    firstState = layer(units, 3 * units)
    second = layer(units, 3 * units)
    secondState = layer(units, 3 * units)
    output = layer(2 * units, bands)
    precondition(numbers.isEmpty, "\(numbers.count) weights are left over")
  }
}
