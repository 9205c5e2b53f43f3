/// The layers of the speech network, decoded once and shared by all networks.
struct SpeechNetworkWeights: Sendable {
  let input: DenseLayer
  let first: RecurrentLayer
  let second: RecurrentLayer
  let output: DenseLayer

  /// The fitted layers.
  static let fitted = Self(FittedSpeechWeights.packed)

  /// - Parameter packed: The layers in the order of the properties.
  private init(_ packed: consuming PackedWeights) {
    let (bands, units) = (SpeechBands.count, SpeechNetwork.unitCount)
    input = packed.layer(inputCount: bands, outputCount: units)
    first = packed.recurrentLayer(inputCount: units, unitCount: units)
    second = packed.recurrentLayer(inputCount: units, unitCount: units)
    output = packed.layer(inputCount: 2 * units, outputCount: bands)
    packed.finish()
  }
}
