internal import HearingDSP
internal import HearingBuffers

/// One layer of a neural network: `sums[j] = biases[j] + Σ inputs[i] · weights[i][j]`.
///
/// The memory of a layer is never freed, because all networks in the process share the fitted
/// weights.
struct DenseLayer {
  let inputCount: Int
  /// The number of outputs, rounded up to whole blocks of 32. The additional outputs are 0.
  let outputCount: Int
  /// The biases, `[output]`, followed by the weights in blocks of 32 outputs,
  /// `[block][input][output]`.
  private let numbers: Row<Float>

  /// The number of outputs that are computed together: eight vectors of four, which fit into
  /// registers.
  private static let blockSize = 32

  /// - Parameters:
  ///   - weights: The weights, `[input][output]`.
  ///   - biases: The biases, `[output]`.
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

  /// Computes the sums, `[output]`, from `inputs`, `[input]`.
  ///
  /// This function is not inlined. Inside the surrounding code, the compiler would split its SIMD
  /// vectors.
  @inline(never)
  func multiply(_ inputs: Row<Float>, to sums: Row<Float>) {
    let size = Self.blockSize
    var row = numbers.from(outputCount)
    var start = 0
    while start < outputCount {
      let biases = numbers.from(start)
      var (a, b) = (biases.float4(at: 0), biases.float4(at: 4))
      var (c, d) = (biases.float4(at: 8), biases.float4(at: 12))
      var (e, f) = (biases.float4(at: 16), biases.float4(at: 20))
      var (g, h) = (biases.float4(at: 24), biases.float4(at: 28))
      for input in 0..<inputCount {
        let x = inputs[input]
        a += row.float4(at: 0) * x
        b += row.float4(at: 4) * x
        c += row.float4(at: 8) * x
        d += row.float4(at: 12) * x
        e += row.float4(at: 16) * x
        f += row.float4(at: 20) * x
        g += row.float4(at: 24) * x
        h += row.float4(at: 28) * x
        row = row.from(size)
      }
      let target = sums.from(start)
      target.setFloat4(a, at: 0)
      target.setFloat4(b, at: 4)
      target.setFloat4(c, at: 8)
      target.setFloat4(d, at: 12)
      target.setFloat4(e, at: 16)
      target.setFloat4(f, at: 20)
      target.setFloat4(g, at: 24)
      target.setFloat4(h, at: 28)
      start += size
    }
  }
}

// The type is Sendable: only `init` writes the numbers. After `init`, the numbers are only read.
extension DenseLayer: @unchecked Sendable {}
