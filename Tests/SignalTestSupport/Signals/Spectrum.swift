#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A simple fast Fourier transform for measurements.
package enum Spectrum {
  /// The power of each bin up to half the sample rate. The function weights the frame with a Hann
  /// window. The length of the frame must be a power of two.
  package static func powers(of frame: ArraySlice<Float>) -> [Double] {
    let count = frame.count
    var real = zip(0..., frame).map { (index: Int, sample: Float) -> Double in
      let angle: Double = 2 * Double.pi * (Double(index) + 0.5) / Double(count)
      return Double(sample) * (0.5 - 0.5 * cos(angle))
    }
    var imaginary = [Double](repeating: 0, count: count)
    transform(&real, &imaginary)
    return (0...count / 2).map { (bin: Int) -> Double in
      real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
    }
  }

  /// Computes the Fourier transform and overwrites the input. The length must be a power of two.
  package static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    let count = real.count
    precondition(count & (count - 1) == 0, "the length \(count) is not a power of two")
    var target = 0
    for index in 1..<count {
      var bit = count >> 1
      while target & bit != 0 {
        target ^= bit
        bit >>= 1
      }
      target ^= bit
      if index < target {
        real.swapAt(index, target)
        imaginary.swapAt(index, target)
      }
    }
    let factors = (0..<count / 2).map { index in
      let angle = -2 * Double.pi * Double(index) / Double(count)
      return (real: cos(angle), imaginary: sin(angle))
    }
    var length = 2
    while length <= count {
      let half = length / 2
      for start in stride(from: 0, to: count, by: length) {
        for offset in 0..<half {
          let factor = factors[offset * (count / length)]
          let (even, odd) = (start + offset, start + offset + half)
          let (evenReal, evenImaginary) = (real[even], imaginary[even])
          let oddReal = real[odd] * factor.real - imaginary[odd] * factor.imaginary
          let oddImaginary = real[odd] * factor.imaginary + imaginary[odd] * factor.real
          real[even] = evenReal + oddReal
          imaginary[even] = evenImaginary + oddImaginary
          real[odd] = evenReal - oddReal
          imaginary[odd] = evenImaginary - oddImaginary
        }
      }
      length *= 2
    }
  }

  /// The energy of the samples outside 700–1400 Hz in dB, relative to the energy of a tone at 1
  /// kHz. A Blackman window is applied to all samples.
  package static func splatter(_ samples: [Float], rate: Double) -> Double {
    let count = samples.count
    let window = (0..<count).map { index -> Double in
      let phase = 2 * .pi * Double(index) / Double(count)
      return 0.42 - 0.5 * cos(phase) + 0.08 * cos(2 * phase)
    }
    let size = 1 << Int(log2(Double(count)).rounded(.up))
    var real = [Double](repeating: 0, count: size)
    var imaginary = real
    for index in 0..<count { real[index] = window[index] * Double(samples[index]) }
    transform(&real, &imaginary)
    var (inside, outside) = (0.0, 0.0)
    for bin in 1..<size / 2 {
      let power = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
      let frequency = Double(bin) * rate / Double(size)
      if (700...1_400).contains(frequency) { inside += power } else { outside += power }
    }
    return 10 * log10(outside / inside)
  }
}
