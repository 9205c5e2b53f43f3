/// The discrete Fourier transform of a power of two of real samples and its inverse, on the render
/// side.
///
/// A spectrum has `bins` = `length` / 2 + 1 numbers, real and imaginary parts apart. Forwards
/// nothing is scaled; backwards by 1 / `length`, so that there and back gives the samples again.
/// Even and odd samples make the real and imaginary parts of a complex transform of half the length
/// (C. Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992, section 4.3).
///
/// A value of pointers with scratch memory: one thread at a time; whoever creates it calls
/// `deallocate()`.
struct RealTransform {
  let half: ComplexTransform

  /// Cosines and sines of k · π / `half.count`, k up to half of that.
  let cosines: UnsafeMutablePointer<Float>
  let sines: UnsafeMutablePointer<Float>

  /// How many samples are transformed.
  var length: Int { 2 * half.count }

  /// How many numbers a spectrum has.
  var bins: Int { half.count + 1 }

  /// The spectrum of `length` samples.
  @_noLocks @_noAllocation
  func forward(
    _ samples: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    let count = half.count
    var index = 0
    while index < count {
      let pairs = UnsafeRawPointer(samples + 2 * index).loadUnaligned(as: SIMD8<Float>.self)
      half.real.setLanes(pairs.evenHalf, at: index)
      half.imaginary.setLanes(pairs.oddHalf, at: index)
      index += 4
    }
    let (a, b) = half.run()
    real[0] = a[0] + b[0]
    imaginary[0] = 0
    real[count] = a[0] - b[0]
    imaginary[count] = 0
    for bin in 1..<4 { divide(bin, a, b, real, imaginary) }
    var bin = 4
    while bin < count / 2 {
      let mirror = count - bin - 3
      let (lowReal, lowImaginary) = (a.lanes(at: bin), b.lanes(at: bin))
      let highReal = Self.reversed(a.lanes(at: mirror))
      let highImaginary = Self.reversed(b.lanes(at: mirror))
      let evenReal = (lowReal + highReal) * 0.5
      let evenImaginary = (lowImaginary - highImaginary) * 0.5
      let oddReal = (lowImaginary + highImaginary) * 0.5
      let oddImaginary = (highReal - lowReal) * 0.5
      let (cosine, sine) = (cosines.lanes(at: bin), sines.lanes(at: bin))
      let turnedReal = cosine * oddReal + sine * oddImaginary
      let turnedImaginary = cosine * oddImaginary - sine * oddReal
      real.setLanes(evenReal + turnedReal, at: bin)
      imaginary.setLanes(evenImaginary + turnedImaginary, at: bin)
      real.setLanes(Self.reversed(evenReal - turnedReal), at: mirror)
      imaginary.setLanes(Self.reversed(turnedImaginary - evenImaginary), at: mirror)
      bin += 4
    }
    real[count / 2] = a[count / 2]
    imaginary[count / 2] = -b[count / 2]
  }

  /// One pair of bins of the spectrum of real samples.
  @_noLocks @_noAllocation @inline(__always)
  private func divide(
    _ bin: Int, _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>,
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
  ) {
    let mirror = half.count - bin
    let evenReal = (a[bin] + a[mirror]) * 0.5
    let evenImaginary = (b[bin] - b[mirror]) * 0.5
    let oddReal = (b[bin] + b[mirror]) * 0.5
    let oddImaginary = (a[mirror] - a[bin]) * 0.5
    let turnedReal = cosines[bin] * oddReal + sines[bin] * oddImaginary
    let turnedImaginary = cosines[bin] * oddImaginary - sines[bin] * oddReal
    real[bin] = evenReal + turnedReal
    imaginary[bin] = evenImaginary + turnedImaginary
    real[mirror] = evenReal - turnedReal
    imaginary[mirror] = turnedImaginary - evenImaginary
  }

  /// The `length` samples of a spectrum; the imaginary parts at its two ends count as 0.
  @_noLocks @_noAllocation
  func inverse(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
    to samples: UnsafeMutablePointer<Float>
  ) {
    let count = half.count
    // Real and imaginary parts change places: that makes the forward transform the inverse one.
    let (a, b) = (half.imaginary, half.real)
    let scale = 0.5 / Float(count)
    a[0] = (real[0] + real[count]) * scale
    b[0] = (real[0] - real[count]) * scale
    for bin in 1..<4 { join(bin, real, imaginary, a, b, scale) }
    var bin = 4
    while bin < count / 2 {
      let mirror = count - bin - 3
      let (lowReal, lowImaginary) = (real.lanes(at: bin), imaginary.lanes(at: bin))
      let highReal = Self.reversed(real.lanes(at: mirror))
      let highImaginary = Self.reversed(imaginary.lanes(at: mirror))
      let evenReal = (lowReal + highReal) * scale
      let evenImaginary = (lowImaginary - highImaginary) * scale
      let turnedReal = (lowReal - highReal) * scale
      let turnedImaginary = (lowImaginary + highImaginary) * scale
      let (cosine, sine) = (cosines.lanes(at: bin), sines.lanes(at: bin))
      let oddReal = cosine * turnedReal - sine * turnedImaginary
      let oddImaginary = cosine * turnedImaginary + sine * turnedReal
      a.setLanes(evenReal - oddImaginary, at: bin)
      b.setLanes(evenImaginary + oddReal, at: bin)
      a.setLanes(Self.reversed(evenReal + oddImaginary), at: mirror)
      b.setLanes(Self.reversed(oddReal - evenImaginary), at: mirror)
      bin += 4
    }
    a[count / 2] = 2 * scale * real[count / 2]
    b[count / 2] = -2 * scale * imaginary[count / 2]
    let (odd, even) = half.run()
    var index = 0
    while index < count {
      var pairs = SIMD8<Float>()
      pairs.evenHalf = even.lanes(at: index)
      pairs.oddHalf = odd.lanes(at: index)
      UnsafeMutableRawPointer(samples + 2 * index).storeBytes(of: pairs, as: SIMD8<Float>.self)
      index += 4
    }
  }

  /// One pair of the numbers whose complex transform gives the samples.
  @_noLocks @_noAllocation @inline(__always)
  private func join(
    _ bin: Int, _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>, _ scale: Float
  ) {
    let mirror = half.count - bin
    let evenReal = (real[bin] + real[mirror]) * scale
    let evenImaginary = (imaginary[bin] - imaginary[mirror]) * scale
    let turnedReal = (real[bin] - real[mirror]) * scale
    let turnedImaginary = (imaginary[bin] + imaginary[mirror]) * scale
    let oddReal = cosines[bin] * turnedReal - sines[bin] * turnedImaginary
    let oddImaginary = cosines[bin] * turnedImaginary + sines[bin] * turnedReal
    a[bin] = evenReal - oddImaginary
    b[bin] = evenImaginary + oddReal
    a[mirror] = evenReal + oddImaginary
    b[mirror] = oddReal - evenImaginary
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func reversed(_ lanes: Lanes) -> Lanes {
    Lanes(lanes[3], lanes[2], lanes[1], lanes[0])
  }
}
