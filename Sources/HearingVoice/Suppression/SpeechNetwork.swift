internal import HearingDSP

/// A small recurrent network that tells, frame by frame, how much of each band is speech.
///
/// One layer of 64 units sees the levels of the bands; two layers of 64 gated recurrent units (K. Cho et
/// al., EMNLP 2014) remember what the frames before were like; an output for each band sees both of
/// them. `Benchmarks/voice/suppression_fit.py` fits the weights.
struct SpeechNetwork: ~Copyable {
  /// Units of each layer.
  static var unitCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { 64 }
  }
  /// The three sums of each recurrent unit: update, reset, candidate.
  private static var sumCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { 3 * unitCount }
  }

  /// The gains of the bands in the last frame, 0…1, `[band]`.
  let gains: UnsafeMutablePointer<Float>

  private let weights: SpeechNetworkWeights
  private let memory: FloatMemory
  private let input: UnsafeMutablePointer<Float>
  /// The states of both recurrent layers, one after the other: what the output sees.
  private let states: UnsafeMutablePointer<Float>
  /// Sums over a layer's inputs, and over its own state.
  private let sums: UnsafeMutablePointer<Float>
  private let ownSums: UnsafeMutablePointer<Float>

  init() {
    weights = SpeechNetworkWeights.fitted
    let units = Self.unitCount
    var memory = FloatMemory(capacity: 4 * units + 2 * Self.sumCount)
    input = memory.take(units)
    states = memory.take(2 * units)
    sums = memory.take(Self.sumCount)
    ownSums = memory.take(Self.sumCount)
    gains = memory.take(units)
    self.memory = memory
  }

  @_noLocks @_noAllocation
  mutating func reset() { memory.clear() }

  /// Computes the gains of a frame.
  ///
  /// - Parameter levels: The levels of the bands, `[band]`.
  @_noLocks @_noAllocation
  mutating func update(levels: UnsafeMutablePointer<Float>) {
    let units = Self.unitCount
    weights.input.multiply(levels, to: input)
    var unit = 0
    while unit < units {
      input.setFloat4(Self.hyperbolicTangent(input.float4(at: unit)), at: unit)
      unit += 4
    }
    advance(states, weights.first, weights.firstState, sees: input)
    advance(states + units, weights.second, weights.secondState, sees: states)
    weights.output.multiply(states, to: gains)
    unit = 0
    while unit < units {
      gains.setFloat4(Self.logistic(gains.float4(at: unit)), at: unit)
      unit += 4
    }
  }

  /// Advances one recurrent layer by one frame.
  @_noLocks @_noAllocation
  private func advance(
    _ state: UnsafeMutablePointer<Float>, _ inputs: DenseLayer,
    _ own: DenseLayer, sees input: UnsafeMutablePointer<Float>
  ) {
    let units = Self.unitCount
    inputs.multiply(input, to: sums)
    own.multiply(state, to: ownSums)
    var unit = 0
    while unit < units {
      let update = Self.logistic(sums.float4(at: unit) + ownSums.float4(at: unit))
      let reset = Self.logistic(
        sums.float4(at: units + unit) + ownSums.float4(at: units + unit))
      let candidate = Self.hyperbolicTangent(
        sums.float4(at: 2 * units + unit) + reset * ownSums.float4(at: 2 * units + unit))
      let held = state.float4(at: unit)
      state.setFloat4((candidate + update * (held - candidate)).withoutTraces, at: unit)
      unit += 4
    }
  }

  /// 1 / (1 + e⁻ˣ).
  @_noLocks @_noAllocation @inline(__always)
  private static func logistic(_ value: Float4) -> Float4 {
    let (least, most) = (Float4(repeating: -60), Float4(repeating: 60))
    let above = value.replacing(with: least, where: value .< least)
    let bounded = above.replacing(with: most, where: above .> most)
    return 1 / ((bounded * -1.442_695).powerOfTwo + 1)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func hyperbolicTangent(_ value: Float4) -> Float4 {
    logistic(value * 2) * 2 - 1
  }
}
