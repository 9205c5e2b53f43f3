internal import HearingDSP

/// A second idea of the room that learns fast and forgets fast, to notice when the room changes.
///
/// A normalised least-mean-square filter in the frequency domain without constraints (J. Shynk, IEEE
/// Signal Processing Magazine 9, 1992), beside the filter that is heard, as in the two-path scheme
/// (K. Ochiai, T. Araseki & T. Ogihara, IEEE Transactions on Communications 25, 1977).
///
/// A value of pointers; whoever creates it calls `deallocate()`.
struct ShadowFilter {
  var response: Spectra

  /// Power of the reference over the whole filter, as it counts, `[bin]`.
  let scale: UnsafeMutablePointer<Float>
  let step: Spectra
  let plan: EchoPlan

  private static var rate: Float {
    @_noLocks @_noAllocation @inline(__always) get { 0.25 }
  }

  @_noLocks @_noAllocation
  func clear() {
    response.clear()
    for bin in 0..<plan.stride { scale[bin] = 0 }
  }

  /// Learns from what this filter left of a block.
  @_noLocks @_noAllocation
  func adapt(to history: ReferenceHistory, error: Spectra) {
    var bin = 0
    while bin < plan.stride {
      let total = history.totals.float4(at: bin)
      let smoothed = scale.float4(at: bin) * 0.9 + total * 0.1 + 1e-20
      let half = total * 0.5
      let larger = smoothed.replacing(with: half, where: half .> smoothed)
      scale.setFloat4(larger, at: bin)
      let weight = Self.rate / (larger + 1e-6)
      step.real.setFloat4(error.real.float4(at: bin) * weight, at: bin)
      step.imaginary.setFloat4(error.imaginary.float4(at: bin) * weight, at: bin)
      bin += 4
    }
    for partition in 0..<plan.partitions { move(partition, history) }
  }

  @_noLocks @_noAllocation @inline(__always)
  private func move(_ partition: Int, _ history: ReferenceHistory) {
    let (real, imaginary) = (history.real(partition), history.imaginary(partition))
    var bin = 0
    while bin < plan.stride {
      let place = partition * plan.stride + bin
      let (x, y) = (real.float4(at: bin), imaginary.float4(at: bin))
      let (u, v) = (step.real.float4(at: bin), step.imaginary.float4(at: bin))
      response.real.setFloat4(response.real.float4(at: place) + (x * u + y * v), at: place)
      response.imaginary.setFloat4(
        response.imaginary.float4(at: place) + (x * v - y * u), at: place)
      bin += 4
    }
  }
}
