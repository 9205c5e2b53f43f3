internal import HearingDSP
internal import HearingBuffers

/// One layer of a neural network: `sums[j] = biases[j] + Σ inputs[i] · weights[i][j]`.
///
/// A layer is created once, and all networks in the app use this layer. Therefore the memory of a
/// layer is never freed.
struct DenseLayer {
  let inputCount: Int
  /// The number of outputs, rounded up to a multiple of 32. The additional outputs are 0.
  let outputCount: Int
  /// The biases of all outputs, followed by blocks of weights. Each block contains the weights of
  /// 32 outputs. A block has one row per input, and each row has 32 weights.
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
  /// This function must not be inlined. In an inlined copy, the compiler would split the SIMD
  /// vectors, and the copy would be slower.
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

// The type is Sendable because only `init` writes to `numbers`. After `init`, `numbers` does not
// change.
extension DenseLayer: @unchecked Sendable {}
