internal import HearingDSP
internal import HearingBuffers

/// The spectra of the last blocks of the reference. The newest block has the age 0.
struct ReferenceHistory: ~Copyable {
  private let spectra: Spectra

  /// The squared magnitudes of the spectra, `[slot][bin]`.
  private let powers: OwnedRow<Float>
  /// The sum of the squared magnitudes over all slots, `[bin]`.
  let totals: OwnedRow<Float>

  /// The energy of each block, `[slot]`.
  private let energies: OwnedRow<Float>

  /// The slot of the newest block.
  private var newest = 0

  /// The mean energy of the blocks in the history.
  private(set) var meanEnergy: Float = 0

  private let stride: Int
  /// The length of the history in blocks, at most that of the plan that was passed to `init`. Reset
  /// the history after a change.
  var partitions: Int

  init(plan: EchoPlan) {
    stride = plan.stride
    partitions = plan.partitions
    spectra = Spectra(stride: stride, count: partitions)
    powers = .filled(0, count: stride * partitions)
    totals = .filled(0, count: stride)
    energies = .filled(0, count: partitions)
  }

  mutating func reset() {
    spectra.clear()
    powers.fill(0)
    energies.fill(0)
    newest = 0
    meanEnergy = 0
  }

  /// The slot of the block that is `age` blocks older than the newest one.
  @inline(__always)
  private func slot(_ age: Int) -> Int {
    let slot = newest + age
    return slot < partitions ? slot : slot - partitions
  }

  @inline(__always)
  func real(_ age: Int) -> Row<Float> { spectra.real.from(slot(age) * stride) }

  @inline(__always)
  func imaginary(_ age: Int) -> Row<Float> {
    spectra.imaginary.from(slot(age) * stride)
  }

  @inline(__always)
  func power(_ age: Int) -> Row<Float> { powers.from(slot(age) * stride) }

  /// Adds the newest block.
  ///
  /// - Parameter samples: The previous block, followed by the newest block.
  mutating func push(
    _ samples: Row<Float>, energy: Float, transform: borrowing RealTransform
  ) {
    newest = newest == 0 ? partitions - 1 : newest - 1
    transform.forward(samples, to: spectra, newest)
    spectra.writePower(of: newest, to: power(0), count: stride)
    // Adds all slots each time, because a running sum would accumulate rounding errors.
    for bin in vectors(stride) {
      var total = SIMD4<Float>.zero
      for slot in 0..<partitions { total += powers.float4(at: slot * stride + bin) }
      totals.setFloat4(total, at: bin)
    }
    energies[newest] = energy
    var sum: Float = 0
    for slot in 0..<partitions { sum += energies[slot] }
    meanEnergy = sum / Float(partitions)
  }

  /// Convolves the partitions from index `first` with the history. Partition `p` is multiplied by
  /// the spectrum of the block of age `p` − `first`.
  func convolve(
    _ filter: borrowing Spectra, from first: Int, to result: borrowing Spectra
  ) {
    for bin in vectors(stride) {
      var (sumReal, sumImaginary) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
      for partition in first..<partitions {
        let index = slot(partition - first) * stride + bin
        let (x, y) = (spectra.real.float4(at: index), spectra.imaginary.float4(at: index))
        let (u, v) = (
          filter.real.float4(at: partition * stride + bin),
          filter.imaginary.float4(at: partition * stride + bin)
        )
        sumReal += x * u - y * v
        sumImaginary += x * v + y * u
      }
      result.real.setFloat4(sumReal, at: bin)
      result.imaginary.setFloat4(sumImaginary, at: bin)
    }
  }
}
