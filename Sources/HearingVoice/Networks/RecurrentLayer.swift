internal import HearingDSP
internal import HearingBuffers

/// Gated recurrent units (K. Cho et al., EMNLP 2014): a layer that remembers what came before.
///
/// The value holds the weights, as a ``DenseLayer`` does; the state belongs to the network.
struct RecurrentLayer {
  let unitCount: Int
  private let inputs: DenseLayer
  private let own: DenseLayer

  /// - Parameters:
  ///   - inputs: From the inputs to three sums for each unit: update, reset, candidate.
  ///   - own: The same from the units' own state.
  init(inputs: DenseLayer, own: DenseLayer) {
    unitCount = own.inputCount
    self.inputs = inputs
    self.own = own
  }

  /// Numbers of scratch memory that ``advance(_:sees:scratch:)`` needs.
  var scratchCount: Int { inputs.outputCount + own.outputCount }

  /// Advances the state, `[unit]`, by one frame.
  func advance(
    _ state: Row<Float>, sees input: Row<Float>,
    scratch sums: Row<Float>
  ) {
    let units = unitCount
    let ownSums = sums.from(inputs.outputCount)
    inputs.multiply(input, to: sums)
    own.multiply(state, to: ownSums)
    var unit = 0
    while unit < units {
      let update = (sums.float4(at: unit) + ownSums.float4(at: unit)).logistic
      let reset = (sums.float4(at: units + unit) + ownSums.float4(at: units + unit)).logistic
      let candidate =
        (sums.float4(at: 2 * units + unit) + reset * ownSums.float4(at: 2 * units + unit))
        .hyperbolicTangent
      let held = state.float4(at: unit)
      state.setFloat4((candidate + update * (held - candidate)).withoutTraces, at: unit)
      unit += 4
    }
  }
}

extension Float4 {
  /// 1 / (1 + e⁻ˣ).
  var logistic: Float4 {
    @inline(__always) get {
      let (least, most) = (Float4(repeating: -60), Float4(repeating: 60))
      let above = self.replacing(with: least, where: self .< least)
      let bounded = above.replacing(with: most, where: above .> most)
      return 1 / ((bounded * -1.442_695).powerOfTwo + 1)
    }
  }

  var hyperbolicTangent: Float4 {
    @inline(__always) get { (self * 2).logistic * 2 - 1 }
  }
}
