internal import HearingDSP
internal import HearingBuffers

/// Consecutive spectra with separate real and imaginary parts. Each spectrum is padded to whole
/// SIMD vectors.
struct Spectra: ~Copyable {
  let real: OwnedRow<Float>
  let imaginary: OwnedRow<Float>
  let stride: Int
  let count: Int

  init(stride: Int, count: Int) {
    self.stride = stride
    self.count = count
    real = .filled(0, count: stride * count)
    imaginary = .filled(0, count: stride * count)
  }

  func clear() {
    for index in 0..<stride * count {
      real[index] = 0
      imaginary[index] = 0
    }
  }

  /// Copies the first `count` spectra from spectra of the same shape.
  func copy(from other: borrowing Spectra, count: Int) {
    for index in 0..<stride * count {
      real[index] = other.real[index]
      imaginary[index] = other.imaginary[index]
    }
  }

  /// The sum of the squared magnitudes of one spectrum.
  func power(_ spectrum: Int) -> Float {
    let (real, imaginary) = (real.from(spectrum * stride), imaginary.from(spectrum * stride))
    var sum = SIMD4<Float>.zero
    var bin = 0
    while bin < stride {
      let (x, y) = (real.float4(at: bin), imaginary.float4(at: bin))
      sum += x * x + y * y
      bin += 4
    }
    return sum[0] + sum[1] + sum[2] + sum[3]
  }
}
