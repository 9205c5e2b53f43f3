internal import HearingDSP

/// Spectra one after the other, real and imaginary parts apart, each filled up to whole vectors.
///
/// A value of pointers; whoever creates it calls `deallocate()`.
struct Spectra {
  let real: UnsafeMutablePointer<Float>
  let imaginary: UnsafeMutablePointer<Float>
  let stride: Int
  let count: Int

  @_noLocks @_noAllocation
  func clear() {
    for index in 0..<stride * count {
      real[index] = 0
      imaginary[index] = 0
    }
  }

  /// Takes over all numbers of spectra of the same shape.
  @_noLocks @_noAllocation
  func copy(from other: Spectra) {
    for index in 0..<stride * count {
      real[index] = other.real[index]
      imaginary[index] = other.imaginary[index]
    }
  }

  /// The sum of the squared magnitudes of one spectrum.
  @_noLocks @_noAllocation
  func power(_ spectrum: Int) -> Float {
    let (real, imaginary) = (real + spectrum * stride, imaginary + spectrum * stride)
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
