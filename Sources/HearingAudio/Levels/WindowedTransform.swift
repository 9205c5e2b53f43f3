internal import HearingDSP
internal import HearingBuffers

/// Measures the power spectrum of windowed samples.
///
/// Each Hann window overlaps the next window by three quarters, so every sample is in four windows.
/// The squares of the four windows add up to 1. Therefore the powers of the transforms add up to
/// the power of the signal.
final class WindowedTransform {
  /// The number of samples of a transform.
  let count: Int

  private let transform: RealTransform
  private let window: [Float]
  private let samples: OwnedRow<Float>
  private let real: OwnedRow<Float>
  private let imaginary: OwnedRow<Float>

  /// Creates a transform of `count` samples, a power of two and at least 32.
  init(count: Int) {
    self.count = count
    transform = RealTransform(length: count)
    // Without this factor, the squares of four windows would add up to 1.5.
    let scale = (1 / 1.5).squareRoot()
    window = (0..<count).map {
      Float(scale * 0.5 * (1 - CMath.cosine(2 * .pi * Double($0) / Double(count))))
    }
    samples = .filled(0, count: count)
    real = .filled(0, count: transform.bins)
    imaginary = .filled(0, count: transform.bins)
  }

  /// Adds the power in each bin to `powers`, which must have `count / 2 + 1` elements. The power
  /// includes the bin of the negative frequency.
  func addPowers(of input: [Float], to powers: inout [Double]) {
    precondition(
      input.count == count && powers.count == transform.bins,
      "\(input.count) samples and \(powers.count) bins for a transform of \(count)")
    for index in 0..<count { samples[index] = input[index] * window[index] }
    transform.forward(samples.row, real: real.row, imaginary: imaginary.row)
    for bin in powers.indices {
      let (real, imaginary) = (Double(real[bin]), Double(imaginary[bin]))
      // Every bin except the first and the last has a counterpart at the negative frequency.
      let factor = bin == 0 || bin == count / 2 ? 1.0 : 2.0
      powers[bin] += factor * (real * real + imaginary * imaginary) / Double(count)
    }
  }
}

// Sendable because only `addPowers` changes memory. Each caller first checks that it has the only
// reference (`isKnownUniquelyReferenced`).
extension WindowedTransform: @unchecked Sendable {}
