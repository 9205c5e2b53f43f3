internal import HearingBuffers

/// The discrete Fourier transform of complex numbers, for use on the audio thread. The number of
/// complex numbers is a power of two.
///
/// Real and imaginary parts are stored separately. Therefore the transform can process four numbers
/// at once. The transform uses Stockham's algorithm, which needs no bit reversal. If the length is
/// a power of four, every stage has the radix four. If the length is not a power of four, the last
/// stage has the radix eight. See Van Loan, "Computational Frameworks for the Fast Fourier
/// Transform", 1992, sections 1.7 and 2.4.
///
/// All calls use the same scratch memory. Therefore only one thread at a time may use the
/// transform.
struct ComplexTransform: ~Copyable {
  /// The length of the transform: the number of complex numbers.
  let count: Int

  /// The real parts and the imaginary parts of the input. The caller writes the input before each
  /// transform.
  let real: OwnedRow<Float>
  let imaginary: OwnedRow<Float>

  let otherReal: OwnedRow<Float>
  let otherImaginary: OwnedRow<Float>

  /// The twiddle factors and their second and third powers, for each stage of radix four. For each
  /// power, the real parts precede the imaginary parts.
  let factors: OwnedRow<Float>

  /// Creates a transform of `count` numbers. `count` is a power of two, 16 or more.
  init(count: Int) {
    precondition(
      count >= 16 && count & (count - 1) == 0, "\(count) is not a power of two of at least 16")
    self.count = count
    real = .filled(0, count: count)
    imaginary = .filled(0, count: count)
    otherReal = .filled(0, count: count)
    otherImaginary = .filled(0, count: count)
    factors = .filled(0, count: 2 * count)
    var offset = 0
    var stride = 1
    while stride * 4 <= count && stride * 8 != count {
      let steps = count / (4 * stride)
      for power in 1...3 {
        for step in 0..<steps {
          let angle = -2 * Double.pi * Double(power * step) / Double(4 * steps)
          factors[offset + step] = Float(CMath.cosine(angle))
          factors[offset + steps + step] = Float(CMath.cosine(angle - Double.pi / 2))
        }
        offset += 2 * steps
      }
      stride *= 4
    }
  }

  /// Transforms the numbers in `real` and `imaginary`.
  ///
  /// - Returns: The transformed numbers. The result is valid until the next call.
  func run() -> ComplexRow {
    var source = ComplexRow(real: real.row, imaginary: imaginary.row)
    var target = ComplexRow(real: otherReal.row, imaginary: otherImaginary.row)
    first(source, to: target)
    interleave(target.real, to: source.real)
    interleave(target.imaginary, to: source.imaginary)
    var stageFactors = factors.from(6 * (count / 4))
    var stride = 4
    while stride * 4 <= count && stride * 8 != count {
      stage(stride, stageFactors, source, to: target)
      stageFactors = stageFactors.from(6 * (count / (4 * stride)))
      stride *= 4
      swap(&source, &target)
    }
    if stride < count {
      last(source, to: target)
      swap(&source, &target)
    }
    return source
  }

  /// The first stage. Each butterfly has its own twiddle factors. The first results of all
  /// butterflies are written to the first quarter of `target`, the second results to the second
  /// quarter, and so on.
  @inline(__always)
  private func first(_ source: ComplexRow, to target: ComplexRow) {
    let quarter = count / 4
    func factor(_ power: Int, _ step: Int) -> Complex4 {
      let first = 2 * (power - 1) * quarter + step
      return Complex4(
        real: factors.float4(at: first), imaginary: factors.float4(at: first + quarter))
    }
    for step in stride(from: 0, to: quarter, by: 4) {
      let result = butterfly(source, step)
      target[step] = result.0
      target[step + quarter] = result.1 * factor(1, step)
      target[step + 2 * quarter] = result.2 * factor(2, step)
      target[step + 3 * quarter] = result.3 * factor(3, step)
    }
  }

  /// Interleaves the four quarters of `source`: writes the first element of each quarter, then the
  /// second element of each quarter, and so on. The first stage does not interleave its results. If
  /// the first stage interleaved its results, the compiler would compute each vector lane
  /// separately.
  @inline(__always)
  private func interleave(_ source: Row<Float>, to target: Row<Float>) {
    let quarter = count / 4
    for step in stride(from: 0, to: quarter, by: 4) {
      let (a, b) = (source.float4(at: step), source.float4(at: step + quarter))
      let (c, d) = (source.float4(at: step + 2 * quarter), source.float4(at: step + 3 * quarter))
      let (ab, cd) = (SIMD8(lowHalf: a, highHalf: b), SIMD8(lowHalf: c, highHalf: d))
      let even = SIMD8(lowHalf: ab.evenHalf, highHalf: cd.evenHalf)
      let odd = SIMD8(lowHalf: ab.oddHalf, highHalf: cd.oddHalf)
      target.setFloat8(SIMD8(lowHalf: even.evenHalf, highHalf: odd.evenHalf), at: 4 * step)
      target.setFloat8(SIMD8(lowHalf: even.oddHalf, highHalf: odd.oddHalf), at: 4 * step + 8)
    }
  }

  /// A later stage of radix 4. Each group of `stride` neighbouring numbers uses the same twiddle
  /// factors.
  @inline(__always)
  private func stage(
    _ stride: Int, _ factors: Row<Float>, _ source: ComplexRow, to target: ComplexRow
  ) {
    let steps = count / (4 * stride)
    func factor(_ power: Int, _ step: Int) -> Complex4 {
      let first = 2 * (power - 1) * steps + step
      return Complex4(
        real: Float4(repeating: factors[first]),
        imaginary: Float4(repeating: factors[first + steps]))
    }
    for step in 0..<steps {
      let (one, two, three) = (factor(1, step), factor(2, step), factor(3, step))
      var index = step * stride
      var output = 4 * step * stride
      let end = index + stride
      while index < end {
        let result = butterfly(source, index)
        target[output] = result.0
        target[output + stride] = result.1 * one
        target[output + 2 * stride] = result.2 * two
        target[output + 3 * stride] = result.3 * three
        index += 4
        output += 4
      }
    }
  }

  /// The last stage, of radix 8. All twiddle factors of the last stage are powers of √½ (1 − i).
  @inline(__always)
  private func last(_ source: ComplexRow, to target: ComplexRow) {
    let (eighth, root) = (count / 8, Float4(repeating: 0.707_106_78))
    for index in stride(from: 0, to: eighth, by: 4) {
      let (even, odd) = (butterfly(source, index), butterfly(source, index + eighth))
      func write(_ number: Int, _ even: Complex4, _ odd: Complex4) {
        target[index + number * eighth] = even + odd
        target[index + (number + 4) * eighth] = even - odd
      }
      write(0, even.0, odd.0)
      write(1, even.1, (odd.1 + odd.1.turned) * root)
      write(2, even.2, odd.2.turned)
      write(3, even.3, (odd.3.turned - odd.3) * root)
    }
  }

  /// Computes a transform of length 4 in each of the four lanes. The inputs of a lane are `count` /
  /// 4 elements apart.
  @inline(__always)
  private func butterfly(
    _ source: ComplexRow, _ index: Int
  ) -> (Complex4, Complex4, Complex4, Complex4) {
    let quarter = count / 4
    let (a, b) = (source[index], source[index + quarter])
    let (c, d) = (source[index + 2 * quarter], source[index + 3 * quarter])
    let (sum, difference, otherSum, turned) = (a + c, a - c, b + d, (b - d).turned)
    return (sum + otherSum, difference + turned, sum - otherSum, difference - turned)
  }
}

/// Complex numbers, with real and imaginary parts in separate rows.
struct ComplexRow: BitwiseCopyable {
  let real: Row<Float>
  let imaginary: Row<Float>

  /// The four numbers that begin at `index`.
  subscript(index: Int) -> Complex4 {
    @inline(__always) get {
      Complex4(real: real.float4(at: index), imaginary: imaginary.float4(at: index))
    }
    @inline(__always) nonmutating set {
      real.setFloat4(newValue.real, at: index)
      imaginary.setFloat4(newValue.imaginary, at: index)
    }
  }
}
