package import HearingBuffers

/// The discrete Fourier transform of real samples and the inverse transform, for use on the audio
/// thread. The number of samples is a power of two.
///
/// A spectrum has `length` / 2 + 1 complex numbers, which are called bins. Real and imaginary parts
/// are stored separately. The forward transform does not scale. The inverse transform scales by 1 /
/// `length`. Therefore the inverse transform of a spectrum returns the original samples.
///
/// The implementation uses a complex transform of half the length. The samples with even indices
/// are the real parts of the complex input, and the samples with odd indices are the imaginary
/// parts. See Van Loan, "Computational Frameworks for the Fast Fourier Transform", 1992, section
/// 4.3.
///
/// All calls use the same scratch memory. Therefore only one thread at a time may use the
/// transform.
package struct RealTransform: ~Copyable {
  let half: ComplexTransform

  /// The cosines and the negative sines of k π / `half.count` for k = 0…`half.count` / 2.
  let cosines: OwnedRow<Float>
  let sines: OwnedRow<Float>

  /// Creates a transform of `length` samples. `length` is a power of two, 32 or more.
  package init(length: Int) {
    half = ComplexTransform(count: length / 2)
    let count = half.count / 2 + 1
    cosines = .filled(0, count: count)
    sines = .filled(0, count: count)
    for index in 0..<count {
      let angle = Double.pi * Double(index) / Double(half.count)
      cosines[index] = Float(CMath.cosine(angle))
      sines[index] = -Float(CMath.cosine(angle - Double.pi / 2))
    }
  }

  /// The length of the transform in samples.
  package var length: Int { 2 * half.count }

  /// The number of bins in a spectrum.
  package var bins: Int { half.count + 1 }

  /// Computes the spectrum of `length` samples.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package func forward(
    _ samples: Row<Float>, real: Row<Float>,
    imaginary: Row<Float>
  ) {
    let count = half.count
    for index in stride(from: 0, to: count, by: 4) {
      let pairs = samples.float8(at: 2 * index)
      half.real.setFloat4(pairs.evenHalf, at: index)
      half.imaginary.setFloat4(pairs.oddHalf, at: index)
    }
    let (result, target) = (half.run(), ComplexRow(real: real, imaginary: imaginary))
    let (a, b) = (result.real, result.imaginary)
    real[0] = a[0] + b[0]
    imaginary[0] = 0
    real[count] = a[0] - b[0]
    imaginary[count] = 0
    // In the last iteration, the vectors at `bin` and at `mirror` overlap at index `count` / 2.
    // After the loop, the correct number is written to this index.
    for bin in stride(from: 1, to: count / 2, by: 4) {
      let mirror = count - bin - 3
      let (low, high) = (result[bin], result[mirror].mirrored)
      let even = (low + high) * Float4(repeating: 0.5)
      let odd = (low - high).turned * Float4(repeating: 0.5) * factors[bin]
      target[bin] = even + odd
      target[mirror] = (even - odd).mirrored
    }
    real[count / 2] = a[count / 2]
    imaginary[count / 2] = -b[count / 2]
  }

  /// Computes `length` samples from a spectrum. The imaginary parts of the first and the last bin
  /// are ignored and count as 0.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  package func inverse(
    real: Row<Float>, imaginary: Row<Float>,
    to samples: Row<Float>
  ) {
    let count = half.count
    // An inverse transform is a forward transform with exchanged real and imaginary parts.
    let source = ComplexRow(real: real, imaginary: imaginary)
    let input = ComplexRow(real: half.imaginary.row, imaginary: half.real.row)
    let (a, b) = (input.real, input.imaginary)
    let scale = 0.5 / Float(count)
    a[0] = (real[0] + real[count]) * scale
    b[0] = (real[0] - real[count]) * scale
    for bin in stride(from: 1, to: count / 2, by: 4) {
      let mirror = count - bin - 3
      let (low, high) = (source[bin], source[mirror].mirrored)
      let even = (low + high) * Float4(repeating: scale)
      let difference = (low - high) * Float4(repeating: scale)
      let odd = factors[bin].conjugate(times: difference).turned
      input[bin] = even - odd
      input[mirror] = (even + odd).mirrored
    }
    a[count / 2] = 2 * scale * real[count / 2]
    b[count / 2] = -2 * scale * imaginary[count / 2]
    let pairs = half.run()
    for index in stride(from: 0, to: count, by: 4) {
      var eight = SIMD8<Float>()
      eight.evenHalf = pairs.imaginary.float4(at: index)
      eight.oddHalf = pairs.real.float4(at: index)
      samples.setFloat8(eight, at: 2 * index)
    }
  }

  /// The twiddle factors as complex numbers. The stored cosines are the real parts, and the stored
  /// negative sines are the imaginary parts.
  private var factors: ComplexRow { ComplexRow(real: cosines.row, imaginary: sines.row) }
}
