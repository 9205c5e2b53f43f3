internal import HearingDSP
internal import HearingBuffers

/// A second estimate of the echo path. It adapts fast and shows when the room has changed.
///
/// It is an unconstrained normalised least-mean-square filter in the frequency domain (J. Shynk,
/// IEEE Signal Processing Magazine 9, 1992). It runs in parallel with the filter that produces the
/// output. This is the two-path scheme (K. Ochiai, T. Araseki & T. Ogihara, IEEE Transactions on
/// Communications 25, 1977).
struct ShadowFilter: ~Copyable {
  /// The response of the room to both channels of the reference, as in `RoomFilter`.
  var response: Spectra

  /// The plan. A change may only reduce the number of partitions. Reset the filter after a change.
  var plan: EchoPlan
  /// The smoothed power of the reference, summed over all partitions, `[bin]`.
  private let scale: OwnedRow<Float>
  private let step: Spectra

  init(plan: EchoPlan) {
    self.plan = plan
    response = Spectra(stride: plan.stride, count: 2 * plan.partitions)
    scale = .filled(0, count: plan.stride)
    step = Spectra(stride: plan.stride, count: 1)
  }

  private static let rate: Float = 0.25

  func reset() {
    response.clear()
    scale.fill(0)
  }

  /// Adapts the response to the error of this filter in a block.
  func adapt(to history: borrowing ReferenceHistory, error: borrowing Spectra) {
    for bin in vectors(plan.stride) {
      let total = history.totals.float4(at: bin)
      let smoothed = scale.float4(at: bin) * 0.9 + total * 0.1 + 1e-20
      let larger = smoothed.larger(total * 0.5)
      scale.setFloat4(larger, at: bin)
      let weight = Self.rate / (larger + 1e-6)
      step.real.setFloat4(error.real.float4(at: bin) * weight, at: bin)
      step.imaginary.setFloat4(error.imaginary.float4(at: bin) * weight, at: bin)
    }
    for partition in 0..<history.partitionCount { adaptPartition(partition, history) }
  }

  @inline(__always)
  private func adaptPartition(_ partition: Int, _ history: borrowing ReferenceHistory) {
    let (real, imaginary) = (history.real(partition), history.imaginary(partition))
    var bin = 0
    while bin < plan.stride {
      let index = partition * plan.stride + bin
      let (x, y) = (real.float4(at: bin), imaginary.float4(at: bin))
      let (u, v) = (step.real.float4(at: bin), step.imaginary.float4(at: bin))
      response.real.setFloat4(response.real.float4(at: index) + (x * u + y * v), at: index)
      response.imaginary.setFloat4(
        response.imaginary.float4(at: index) + (x * v - y * u), at: index)
      bin += 4
    }
  }
}
