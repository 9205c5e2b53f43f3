/// The fitted weights of a network as text, 12 bits each, and the layers made of them.
struct PackedWeights {
  /// All weights and biases, in the order of the layers.
  let numbers: [Float]
  private var taken = 0

  /// - Parameters:
  ///   - steps: The step between two codes, and the number of weights and biases, of each layer.
  ///   - text: The codes, as two characters from "0" on; the higher bits come first. Line breaks and
  ///     spaces do not count.
  init(steps: [(Float, Int)], text: String) {
    var numbers: [Float] = []
    var codes = text.utf8.lazy.filter { $0 >= 48 }.map { Int32($0) - 48 }.makeIterator()
    for (step, count) in steps {
      for _ in 0..<count {
        guard let high = codes.next(), let low = codes.next() else {
          preconditionFailure("the codes end after \(numbers.count) weights")
        }
        numbers.append(Float(64 * high + low - 2_048) * step)
      }
    }
    precondition(codes.next() == nil, "more codes than \(numbers.count) weights")
    self.numbers = numbers
  }

  /// The next layer: its weights `[input][output]`, then its biases `[output]`.
  mutating func layer(inputCount: Int, outputCount: Int) -> DenseLayer {
    let weights = take(inputCount * outputCount)
    return DenseLayer(weights: weights, biases: take(outputCount), inputCount: inputCount)
  }

  /// The next recurrent layer: from its inputs, then from its own state.
  mutating func recurrentLayer(inputCount: Int, unitCount: Int) -> RecurrentLayer {
    let inputs = layer(inputCount: inputCount, outputCount: 3 * unitCount)
    return RecurrentLayer(
      inputs: inputs, own: layer(inputCount: unitCount, outputCount: 3 * unitCount))
  }

  /// The next numbers.
  mutating func take(_ count: Int) -> [Float] {
    precondition(
      taken + count <= numbers.count, "\(taken + count) weights of \(numbers.count) are asked for")
    taken += count
    return Array(numbers[(taken - count)..<taken])
  }

  /// Stops the program if numbers are left over.
  consuming func finish() {
    precondition(taken == numbers.count, "\(numbers.count - taken) weights are left over")
  }
}
