#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A fully connected network layer in double precision. Its weights and biases are read from an
/// array.
package struct PlainLayer {
  private let weights: [Double]
  private let biases: [Double]

  /// Reads the weights and biases from the start of `numbers`, and removes them there.
  package init(_ numbers: inout ArraySlice<Float>, inputs: Int, outputs: Int) {
    weights = numbers.prefix(inputs * outputs).map(Double.init)
    numbers = numbers.dropFirst(inputs * outputs)
    biases = numbers.prefix(outputs).map(Double.init)
    numbers = numbers.dropFirst(outputs)
  }

  package func sums(_ inputs: [Double]) -> [Double] {
    biases.indices.map { output in
      inputs.indices.reduce(biases[output]) {
        $0 + inputs[$1] * weights[$1 * biases.count + output]
      }
    }
  }
}

/// A network layer of gated recurrent units. The code follows the published equations directly.
package struct PlainRecurrentLayer {
  private let inputs: PlainLayer
  private let own: PlainLayer
  package private(set) var state: [Double]

  /// Reads the weights and biases from the start of `numbers`, and removes them there.
  package init(_ numbers: inout ArraySlice<Float>, inputs: Int, units: Int) {
    self.inputs = PlainLayer(&numbers, inputs: inputs, outputs: 3 * units)
    own = PlainLayer(&numbers, inputs: units, outputs: 3 * units)
    state = [Double](repeating: 0, count: units)
  }

  package mutating func advance(_ seen: [Double]) {
    let (sums, own, count) = (inputs.sums(seen), own.sums(state), state.count)
    state = state.indices.map { unit in
      let update = logistic(sums[unit] + own[unit])
      let reset = logistic(sums[count + unit] + own[count + unit])
      let candidate = tanh(sums[2 * count + unit] + reset * own[2 * count + unit])
      return update * state[unit] + (1 - update) * candidate
    }
  }
}

package func logistic(_ value: Double) -> Double { 1 / (1 + exp(-value)) }
