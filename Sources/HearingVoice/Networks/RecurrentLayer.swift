internal import HearingDSP
internal import HearingBuffers

/// A layer of gated recurrent units (Cho et al., EMNLP 2014). The states of the units contain
/// information about earlier frames.
///
/// This type contains only the weights. The network that uses this layer stores the states of the
/// units.
struct RecurrentLayer {
  /// The weights from the inputs to the three sums of each unit: update, reset and candidate.
  let inputs: DenseLayer
  /// The weights from the states of the units to the three sums of each unit.
  let recurrent: DenseLayer

  /// The number of elements of scratch memory that ``advance(_:input:scratch:)`` needs.
  var scratchCount: Int { inputs.outputCount + recurrent.outputCount }

  /// Advances the state of every unit by one frame.
  func advance(_ state: Row<Float>, input: Row<Float>, scratch sums: Row<Float>) {
    let units = recurrent.inputCount
    let recurrentSums = sums.from(inputs.outputCount)
    inputs.multiply(input, to: sums)
    recurrent.multiply(state, to: recurrentSums)
    for unit in groupStarts(units) {
      let update = (sums.float4(at: unit) + recurrentSums.float4(at: unit)).logistic
      let reset = (sums.float4(at: units + unit) + recurrentSums.float4(at: units + unit)).logistic
      let candidate =
        (sums.float4(at: 2 * units + unit) + reset * recurrentSums.float4(at: 2 * units + unit))
        .hyperbolicTangent
      let held = state.float4(at: unit)
      state.setFloat4((candidate + update * (held - candidate)).flushingDenormals, at: unit)
    }
  }
}

extension Float4 {
  /// The logistic function 1 / (1 + e⁻ˣ) of each lane.
  @inline(__always)
  var logistic: Float4 {
    let bounded = larger(Float4(repeating: -60)).smaller(Float4(repeating: 60))
    return 1 / ((bounded * -1.442_695).powerOfTwo + 1)
  }

  @inline(__always)
  var hyperbolicTangent: Float4 { (self * 2).logistic * 2 - 1 }
}
