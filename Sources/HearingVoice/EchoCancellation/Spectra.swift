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
    real.fill(0)
    imaginary.fill(0)
  }

  /// Copies the first `count` spectra from spectra of the same shape.
  func copy(from other: borrowing Spectra, count: Int) {
    CallBlock.copy(other.real.row, to: real.row, count: stride * count)
    CallBlock.copy(other.imaginary.row, to: imaginary.row, count: stride * count)
  }

  /// Writes the squared magnitudes of the first `count` bins of one spectrum to `target`. The count
  /// is rounded up to whole vectors.
  func writePower(of spectrum: Int = 0, to target: Row<Float>, count: Int) {
    let (real, imaginary) = (real.from(spectrum * stride), imaginary.from(spectrum * stride))
    for bin in vectors(count) {
      let (x, y) = (real.float4(at: bin), imaginary.float4(at: bin))
      target.setFloat4(x * x + y * y, at: bin)
    }
  }

  /// The sum of the squared magnitudes of one spectrum.
  func power(_ spectrum: Int) -> Float {
    let (real, imaginary) = (real.from(spectrum * stride), imaginary.from(spectrum * stride))
    var sum = SIMD4<Float>.zero
    for bin in vectors(stride) {
      let (x, y) = (real.float4(at: bin), imaginary.float4(at: bin))
      sum += x * x + y * y
    }
    return sum[0] + sum[1] + sum[2] + sum[3]
  }
}

extension RealTransform {
  /// Writes the spectrum of samples to the spectrum with the index `index`.
  func forward(_ samples: Row<Float>, to spectra: borrowing Spectra, _ index: Int = 0) {
    let start = index * spectra.stride
    forward(samples, real: spectra.real.from(start), imaginary: spectra.imaginary.from(start))
  }

  /// Writes the samples of the spectrum with the index `index`.
  func inverse(_ spectra: borrowing Spectra, _ index: Int = 0, to samples: Row<Float>) {
    let start = index * spectra.stride
    inverse(real: spectra.real.from(start), imaginary: spectra.imaginary.from(start), to: samples)
  }
}

/// The indices at which the vectors of four begin in a row of `count` elements.
func vectors(_ count: Int) -> StrideTo<Int> { stride(from: 0, to: count, by: 4) }
