internal import HearingBuffers

/// The discrete Fourier transform of a power of two of complex numbers, on the render side.
///
/// Real and imaginary parts are stored separately, so that four numbers are processed at once. The
/// stages are those of Stockham's algorithm, which needs no reordering: radix 4, and one stage of
/// radix 2 at the end if the length is not a power of four (C. Van Loan, Computational Frameworks
/// for the Fast Fourier Transform, 1992, sections 1.7 and 2.4).
///
/// It has scratch memory, so only one thread at a time may use it.
struct ComplexTransform: ~Copyable {
  /// How many numbers are transformed.
  let count: Int

  /// The input.
  let real: OwnedRow<Float>
  let imaginary: OwnedRow<Float>

  let otherReal: OwnedRow<Float>
  let otherImaginary: OwnedRow<Float>

  /// For each stage of radix 4 the first, second and third power of its twiddle factors, real parts
  /// before imaginary ones.
  let factors: OwnedRow<Float>

  /// A transform of `count` numbers: a power of two, 16 or more.
  init(count: Int) {
    precondition(
      count >= 16 && count & (count - 1) == 0, "\(count) is not a power of two of at least 16")
    self.count = count
    real = .filled(0, count: count)
    imaginary = .filled(0, count: count)
    otherReal = .filled(0, count: count)
    otherImaginary = .filled(0, count: count)
    factors = .filled(0, count: 2 * count)
    var place = 0
    var stride = 1
    while stride * 4 <= count {
      let steps = count / (4 * stride)
      for power in 1...3 {
        for step in 0..<steps {
          let angle = -2 * Double.pi * Double(power * step) / Double(4 * steps)
          factors[place + step] = Float(CMath.cosine(angle))
          factors[place + steps + step] = Float(CMath.cosine(angle - Double.pi / 2))
        }
        place += 2 * steps
      }
      stride *= 4
    }
  }

  /// Transforms the numbers in `real` and `imaginary`.
  ///
  /// - Returns: The result, which is valid until the next call.
  func run() -> (real: Row<Float>, imaginary: Row<Float>) {
    var source = (real: real.row, imaginary: imaginary.row)
    var target = (real: otherReal.row, imaginary: otherImaginary.row)
    first(source.real, source.imaginary, target.real, target.imaginary)
    var stageFactors = factors.from(6 * (count / 4))
    var stride = 4
    swap(&source, &target)
    while stride * 4 <= count {
      stage(
        stride, stageFactors, source.real, source.imaginary, target.real, target.imaginary)
      stageFactors = stageFactors.from(6 * (count / (4 * stride)))
      stride *= 4
      swap(&source, &target)
    }
    if stride < count {
      last(source.real, source.imaginary, target.real, target.imaginary)
      swap(&source, &target)
    }
    return source
  }

  /// The first stage: each number has its own twiddle factors, and neighbouring results are written
  /// four elements apart.
  @inline(__always)
  private func first(
    _ sourceReal: Row<Float>, _ sourceImaginary: Row<Float>,
    _ targetReal: Row<Float>, _ targetImaginary: Row<Float>
  ) {
    let quarter = count / 4
    var step = 0
    while step < quarter {
      let result = Self.butterfly(
        Self.read(sourceReal, sourceImaginary, step),
        Self.read(sourceReal, sourceImaginary, step + quarter),
        Self.read(sourceReal, sourceImaginary, step + 2 * quarter),
        Self.read(sourceReal, sourceImaginary, step + 3 * quarter))
      let one = Self.product(
        result.1, factors.float4(at: step), factors.float4(at: quarter + step))
      let two = Self.product(
        result.2, factors.float4(at: 2 * quarter + step), factors.float4(at: 3 * quarter + step))
      let three = Self.product(
        result.3, factors.float4(at: 4 * quarter + step), factors.float4(at: 5 * quarter + step))
      Self.writeAcross(targetReal.from(4 * step), result.0.real, one.real, two.real, three.real)
      Self.writeAcross(
        targetImaginary.from(4 * step), result.0.imaginary, one.imaginary, two.imaginary,
        three.imaginary)
      step += 4
    }
  }

  /// A later stage: `stride` neighbours share their twiddle factors.
  @inline(__always)
  private func stage(
    _ stride: Int, _ factors: Row<Float>,
    _ sourceReal: Row<Float>, _ sourceImaginary: Row<Float>,
    _ targetReal: Row<Float>, _ targetImaginary: Row<Float>
  ) {
    let steps = count / (4 * stride)
    let quarter = count / 4
    for step in 0..<steps {
      let (oneReal, oneImaginary) = (factors[step], factors[steps + step])
      let (twoReal, twoImaginary) = (factors[2 * steps + step], factors[3 * steps + step])
      let (threeReal, threeImaginary) = (factors[4 * steps + step], factors[5 * steps + step])
      var index = step * stride
      var place = 4 * step * stride
      let end = index + stride
      while index < end {
        let result = Self.butterfly(
          Self.read(sourceReal, sourceImaginary, index),
          Self.read(sourceReal, sourceImaginary, index + quarter),
          Self.read(sourceReal, sourceImaginary, index + 2 * quarter),
          Self.read(sourceReal, sourceImaginary, index + 3 * quarter))
        Self.write(targetReal, targetImaginary, place, result.0)
        Self.write(
          targetReal, targetImaginary, place + stride,
          Self.product(result.1, Float4(repeating: oneReal), Float4(repeating: oneImaginary)))
        Self.write(
          targetReal, targetImaginary, place + 2 * stride,
          Self.product(result.2, Float4(repeating: twoReal), Float4(repeating: twoImaginary)))
        Self.write(
          targetReal, targetImaginary, place + 3 * stride,
          Self.product(result.3, Float4(repeating: threeReal), Float4(repeating: threeImaginary)))
        index += 4
        place += 4
      }
    }
  }

  /// The stage of radix 2 at the end.
  @inline(__always)
  private func last(
    _ sourceReal: Row<Float>, _ sourceImaginary: Row<Float>,
    _ targetReal: Row<Float>, _ targetImaginary: Row<Float>
  ) {
    let half = count / 2
    var index = 0
    while index < half {
      let one = Self.read(sourceReal, sourceImaginary, index)
      let other = Self.read(sourceReal, sourceImaginary, index + half)
      Self.write(
        targetReal, targetImaginary, index,
        (one.real + other.real, one.imaginary + other.imaginary))
      Self.write(
        targetReal, targetImaginary, index + half,
        (one.real - other.real, one.imaginary - other.imaginary))
      index += 4
    }
  }
}

extension ComplexTransform {
  /// Four complex numbers.
  typealias Numbers = (real: Float4, imaginary: Float4)

  /// The transform of length 4 of each lane.
  @inline(__always)
  static func butterfly(
    _ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers
  ) -> (Numbers, Numbers, Numbers, Numbers) {
    let sum: Numbers = (a.real + c.real, a.imaginary + c.imaginary)
    let difference: Numbers = (a.real - c.real, a.imaginary - c.imaginary)
    let otherSum: Numbers = (b.real + d.real, b.imaginary + d.imaginary)
    let otherDifference: Numbers = (b.real - d.real, b.imaginary - d.imaginary)
    return (
      (sum.real + otherSum.real, sum.imaginary + otherSum.imaginary),
      (
        difference.real + otherDifference.imaginary,
        difference.imaginary - otherDifference.real
      ),
      (sum.real - otherSum.real, sum.imaginary - otherSum.imaginary),
      (
        difference.real - otherDifference.imaginary,
        difference.imaginary + otherDifference.real
      )
    )
  }

  @inline(__always)
  static func product(_ number: Numbers, _ real: Float4, _ imaginary: Float4) -> Numbers {
    (
      number.real * real - number.imaginary * imaginary,
      number.real * imaginary + number.imaginary * real
    )
  }

  @inline(__always)
  static func read(
    _ real: Row<Float>, _ imaginary: Row<Float>, _ index: Int
  ) -> Numbers {
    (real.float4(at: index), imaginary.float4(at: index))
  }

  @inline(__always)
  static func write(
    _ real: Row<Float>, _ imaginary: Row<Float>, _ index: Int,
    _ numbers: Numbers
  ) {
    real.setFloat4(numbers.real, at: index)
    imaginary.setFloat4(numbers.imaginary, at: index)
  }

  /// Writes the first lanes of all four, then the second ones, and so on.
  @inline(__always)
  static func writeAcross(
    _ target: Row<Float>, _ a: Float4, _ b: Float4, _ c: Float4, _ d: Float4
  ) {
    target.setFloat4(Float4(a[0], b[0], c[0], d[0]), at: 0)
    target.setFloat4(Float4(a[1], b[1], c[1], d[1]), at: 4)
    target.setFloat4(Float4(a[2], b[2], c[2], d[2]), at: 8)
    target.setFloat4(Float4(a[3], b[3], c[3], d[3]), at: 12)
  }
}
