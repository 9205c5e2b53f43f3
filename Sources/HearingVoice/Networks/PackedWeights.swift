/// Decodes the fitted weights of a network and creates the layers. The weights are stored as text
/// with 12 bits per weight.
struct PackedWeights {
  /// The weights and biases that have not been read yet, in the order of the layers.
  private(set) var numbers: ArraySlice<Float>

  /// - Parameters:
  ///   - steps: Two numbers per layer. The first number is the difference between the weights of
  ///     two consecutive codes. The second number is the total number of weights and biases.
  ///   - text: The codes of all weights. Each code has two characters of six bits, the higher bits
  ///     first. The character "0" stands for six bits that are 0. Line breaks and spaces are
  ///     ignored.
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
    self.numbers = numbers[...]
  }

  /// Reads the next layer: the weights, followed by the biases. For each input, there is one weight
  /// per output.
  mutating func layer(inputCount: Int, outputCount: Int) -> DenseLayer {
    let weights = read(inputCount * outputCount)
    return DenseLayer(weights: weights, biases: read(outputCount), inputCount: inputCount)
  }

  /// Reads the next recurrent layer: the weights for the inputs of the units, followed by the
  /// weights for the states of the units.
  mutating func recurrentLayer(inputCount: Int, unitCount: Int) -> RecurrentLayer {
    let inputs = layer(inputCount: inputCount, outputCount: 3 * unitCount)
    return RecurrentLayer(
      inputs: inputs, recurrent: layer(inputCount: unitCount, outputCount: 3 * unitCount))
  }

  /// Reads the next `count` weights or biases.
  mutating func read(_ count: Int) -> [Float] {
    precondition(count <= numbers.count, "\(count) of \(numbers.count) weights requested")
    defer { numbers.removeFirst(count) }
    return Array(numbers.prefix(count))
  }

  /// Stops the program if some weights or biases have not been read.
  consuming func finish() {
    precondition(numbers.isEmpty, "\(numbers.count) weights are left over")
  }
}
