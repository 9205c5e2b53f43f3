internal import HearingDSP

/// The spectra of what the loudspeaker played, newest first.
///
/// A value of pointers and a place; whoever creates it calls `deallocate()`.
struct ReferenceHistory {
  let spectra: Spectra

  /// Squared magnitudes, `[slot][bin]`, and their sum over all slots, `[bin]`.
  let powers: UnsafeMutablePointer<Float>
  let totals: UnsafeMutablePointer<Float>

  /// Energy of each block, `[slot]`.
  let energies: UnsafeMutablePointer<Float>

  /// The slot of the newest block.
  var newest = 0

  /// Mean energy of the blocks that the history reaches back to.
  private(set) var meanEnergy: Float = 0

  let stride: Int
  let partitions: Int

  @_noLocks @_noAllocation
  mutating func clear() {
    spectra.clear()
    for index in 0..<stride * partitions { powers[index] = 0 }
    for bin in 0..<stride { totals[bin] = 0 }
    for slot in 0..<partitions { energies[slot] = 0 }
    newest = 0
    meanEnergy = 0
  }

  /// The slot of the block played `age` blocks before the newest one.
  @_noLocks @_noAllocation @inline(__always)
  private func slot(_ age: Int) -> Int {
    let slot = newest + age
    return slot < partitions ? slot : slot - partitions
  }

  @_noLocks @_noAllocation @inline(__always)
  func real(_ age: Int) -> UnsafeMutablePointer<Float> { spectra.real + slot(age) * stride }

  @_noLocks @_noAllocation @inline(__always)
  func imaginary(_ age: Int) -> UnsafeMutablePointer<Float> {
    spectra.imaginary + slot(age) * stride
  }

  @_noLocks @_noAllocation @inline(__always)
  func power(_ age: Int) -> UnsafeMutablePointer<Float> { powers + slot(age) * stride }

  /// Takes in the newest block, of which `samples` are two: the block before and itself.
  @_noLocks @_noAllocation
  mutating func push(
    _ samples: UnsafePointer<Float>, energy: Float, transform: RealTransform
  ) {
    newest = newest == 0 ? partitions - 1 : newest - 1
    let (real, imaginary, power) = (real(0), imaginary(0), power(0))
    transform.forward(samples, real: real, imaginary: imaginary)
    var bin = 0
    while bin < stride {
      let (x, y) = (real.float4(at: bin), imaginary.float4(at: bin))
      power.setFloat4(x * x + y * y, at: bin)
      bin += 4
    }
    // Summed afresh each time: a running sum would keep what rounding leaves.
    bin = 0
    while bin < stride {
      var total = SIMD4<Float>.zero
      for slot in 0..<partitions { total += powers.float4(at: slot * stride + bin) }
      totals.setFloat4(total, at: bin)
      bin += 4
    }
    energies[newest] = energy
    var sum: Float = 0
    for slot in 0..<partitions { sum += energies[slot] }
    meanEnergy = sum / Float(partitions)
  }

  /// Sums over partitions from `first` on the product of each with the block that is partition −
  /// `first` old.
  @_noLocks @_noAllocation
  func convolve(_ filter: Spectra, from first: Int, to result: Spectra) {
    var bin = 0
    while bin < stride {
      var (sumReal, sumImaginary) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
      for partition in first..<partitions {
        let place = slot(partition - first) * stride + bin
        let (x, y) = (spectra.real.float4(at: place), spectra.imaginary.float4(at: place))
        let (u, v) = (
          filter.real.float4(at: partition * stride + bin),
          filter.imaginary.float4(at: partition * stride + bin)
        )
        sumReal += x * u - y * v
        sumImaginary += x * v + y * u
      }
      result.real.setFloat4(sumReal, at: bin)
      result.imaginary.setFloat4(sumImaginary, at: bin)
      bin += 4
    }
  }
}
