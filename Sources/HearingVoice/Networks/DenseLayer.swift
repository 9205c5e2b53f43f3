internal import HearingDSP
internal import HearingBuffers

/// One layer of a neural network: `sums[j] = biases[j] + Σ inputs[i] · weights[i][j]`.
///
/// All networks of the app use the same fitted weights. Therefore the memory of a layer is never
/// freed.
struct DenseLayer {
  let inputCount: Int
  /// The number of outputs, rounded up to whole blocks of 32. The additional outputs are 0.
  let outputCount: Int
  /// The biases of all outputs, followed by blocks of weights. Each block belongs to 32 outputs,
  /// and contains 32 weights per input.
  private let numbers: Row<Float>

  /// The number of outputs that are computed together in ``EightSums``.
  private static let blockSize = 32

  /// - Parameters:
  ///   - weights: The weights. For each input, there is one weight per output.
  ///   - biases: The biases, one value per output.
  init(weights: [Float], biases: [Float], inputCount: Int) {
    precondition(
      weights.count == inputCount * biases.count,
      "\(weights.count) weights are not \(inputCount) for each of \(biases.count) outputs")
    let size = Self.blockSize
    self.inputCount = inputCount
    outputCount = (biases.count + size - 1) / size * size
    numbers = .filled(0, count: (inputCount + 1) * outputCount)
    for (output, bias) in biases.enumerated() {
      numbers[output] = bias
      let column = outputCount + output / size * size * inputCount + output % size
      for input in 0..<inputCount {
        numbers[column + input * size] = weights[input * biases.count + output]
      }
    }
  }

  /// Computes the sum for each output. The row `inputs` has one value per input.
  ///
  /// If this function were inlined, the compiler would split its SIMD vectors.
  @inline(never)
  func multiply(_ inputs: Row<Float>, to sums: Row<Float>) {
    let size = Self.blockSize
    var row = numbers.from(outputCount)
    for start in stride(from: 0, to: outputCount, by: size) {
      var block = EightSums()
      block.add(numbers, at: start, step: 4, times: Float4(repeating: 1))
      for input in 0..<inputCount {
        block.add(row, at: 0, step: 4, times: Float4(repeating: inputs[input]))
        row = row.from(size)
      }
      block.write(to: sums.from(start))
    }
  }
}

// The type is Sendable: only `init` writes the numbers. After `init`, the numbers are only read.
extension DenseLayer: @unchecked Sendable {}
