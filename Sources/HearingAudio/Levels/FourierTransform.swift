internal import Foundation

/// The discrete Fourier transform of a fixed power of two of complex numbers.
///
/// Radix-2, in place, decimation in time (Cooley & Tukey 1965).
struct FourierTransform: Sendable {
  /// The number of points.
  let count: Int

  private let cosines: [Double]
  private let sines: [Double]

  /// A transform of `count` points, a power of two and at least 2.
  init(count: Int) {
    precondition(count >= 2 && count.nonzeroBitCount == 1, "a transform of \(count) points")
    self.count = count
    let step = -2 * Double.pi / Double(count)
    cosines = (0..<count / 2).map { cos(step * Double($0)) }
    sines = (0..<count / 2).map { sin(step * Double($0)) }
  }

  /// Transforms ``count`` numbers in place; the forward transform, without a factor.
  func transform(real: inout [Double], imaginary: inout [Double]) {
    precondition(
      real.count == count && imaginary.count == count,
      "\(real.count) and \(imaginary.count) numbers for \(count) points")
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        reorder(real, imaginary)
        var half = 1
        while half < count {
          combine(real, imaginary, half: half)
          half *= 2
        }
      }
    }
  }

  /// Puts every number in the place whose index has its bits in reverse.
  private func reorder(
    _ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>
  ) {
    var other = 0
    for index in 1..<count {
      var bit = count / 2
      while other & bit != 0 {
        other ^= bit
        bit /= 2
      }
      other |= bit
      guard index < other else { continue }
      real.swapAt(index, other)
      imaginary.swapAt(index, other)
    }
  }

  /// Makes transforms of `2 * half` points from pairs of `half` points.
  private func combine(
    _ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>,
    half: Int
  ) {
    let stride = count / (2 * half)
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        for start in Swift.stride(from: 0, to: count, by: 2 * half) {
          for offset in 0..<half {
            let (low, high) = (start + offset, start + offset + half)
            let (cosine, sine) = (cosines[offset * stride], sines[offset * stride])
            let turnedReal = cosine * real[high] - sine * imaginary[high]
            let turnedImaginary = cosine * imaginary[high] + sine * real[high]
            real[high] = real[low] - turnedReal
            imaginary[high] = imaginary[low] - turnedImaginary
            real[low] += turnedReal
            imaginary[low] += turnedImaginary
          }
        }
      }
    }
  }
}
