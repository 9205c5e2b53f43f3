internal import HearingDSP
internal import HearingBuffers

/// Consecutive spectra with separate real and imaginary parts. The length of each spectrum is
/// rounded up to a multiple of four bins.
struct Spectra: ~Copyable {
  let real: OwnedRow<Float>
  let imaginary: OwnedRow<Float>
  let stride: Int

  init(stride: Int, count: Int) {
    self.stride = stride
    real = .filled(0, count: stride * count)
    imaginary = .filled(0, count: stride * count)
  }

  /// The four bins that begin at `index`. The bins of all spectra are numbered consecutively.
  @inline(__always)
  func bins(at index: Int) -> Complex4 {
    Complex4(real: real.float4(at: index), imaginary: imaginary.float4(at: index))
  }

  /// Writes four bins that begin at `index`. The bins of all spectra are numbered consecutively.
  @inline(__always)
  func setBins(_ bins: Complex4, at index: Int) {
    real.setFloat4(bins.real, at: index)
    imaginary.setFloat4(bins.imaginary, at: index)
  }

  func clear() {
    real.fill(0)
    imaginary.fill(0)
  }

  /// Copies the first `count` spectra of `other`. Both objects must have the same `stride`.
  func copy(from other: borrowing Spectra, count: Int) {
    CallBlock.copy(other.real.row, to: real.row, count: stride * count)
    CallBlock.copy(other.imaginary.row, to: imaginary.row, count: stride * count)
  }

  /// Multiplies the spectrum `index` of `one` by the spectrum `slot` of `other`. Adds the product
  /// to the first spectrum of `self`.
  func add(_ one: borrowing Spectra, _ index: Int, times other: borrowing Spectra, _ slot: Int) {
    for bin in groupStarts(stride) {
      let product = one.bins(at: index * stride + bin) * other.bins(at: slot * stride + bin)
      setBins(bins(at: bin) + product, at: bin)
    }
  }

  /// Writes the squared magnitudes of the first `count` bins of one spectrum to `target`. The
  /// function rounds `count` up to a multiple of four.
  func writePower(of spectrum: Int = 0, to target: Row<Float>, count: Int) {
    for bin in groupStarts(count) {
      target.setFloat4(bins(at: spectrum * stride + bin).power, at: bin)
    }
  }

  /// The sum of the squared magnitudes of one spectrum.
  func power(_ spectrum: Int) -> Float {
    var sum = SIMD4<Float>.zero
    for bin in groupStarts(stride) { sum += bins(at: spectrum * stride + bin).power }
    return sum.sum()
  }
}

extension RealTransform {
  /// Computes the spectrum of samples, and stores it as the spectrum with the index `index`.
  func forward(_ samples: Row<Float>, to spectra: borrowing Spectra, _ index: Int = 0) {
    let start = index * spectra.stride
    forward(samples, real: spectra.real.from(start), imaginary: spectra.imaginary.from(start))
  }

  /// Computes the samples for the spectrum with the index `index`.
  func inverse(_ spectra: borrowing Spectra, _ index: Int = 0, to samples: Row<Float>) {
    let start = index * spectra.stride
    inverse(real: spectra.real.from(start), imaginary: spectra.imaginary.from(start), to: samples)
  }
}

extension Row<Float> {
  /// The inner product of the first `count` elements of this row and of `other`. The function
  /// rounds `count` up to a multiple of four.
  @inline(__always)
  func product(_ other: Self, count: Int) -> Float {
    var sum = Float4.zero
    for index in groupStarts(count) { sum += float4(at: index) * other.float4(at: index) }
    return sum.sum()
  }

  /// The sum of the squares of the first `count` elements of this row. The function rounds `count`
  /// up to a multiple of four.
  func energy(count: Int) -> Float { product(self, count: count) }
}

/// The start indices of the groups of four elements in a row of `count` elements.
func groupStarts(_ count: Int) -> StrideTo<Int> { stride(from: 0, to: count, by: 4) }
