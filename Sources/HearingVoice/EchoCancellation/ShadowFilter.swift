internal import HearingDSP
internal import HearingBuffers

/// A second estimate of the echo path. The shadow filter adapts fast, and shows when the room has
/// changed.
///
/// The shadow filter is an unconstrained normalised least-mean-square filter in the frequency
/// domain (Shynk, IEEE Signal Processing Magazine 9, 1992). The shadow filter runs in parallel with
/// the room filter, as in the two-path scheme (Ochiai, Araseki & Ogihara, IEEE Transactions on
/// Communications 25, 1977). Only the room filter computes the echo that is subtracted from the
/// microphone signal.
struct ShadowFilter: ~Copyable {
  /// The responses of the room to both channels of the reference, in the same order as in
  /// `RoomFilter`.
  var response: Spectra

  /// The smoothed power of the reference, summed over all partitions, one value per bin.
  private let scale: OwnedRow<Float>

  init(plan: EchoPlan) {
    response = Spectra(stride: plan.stride, count: 2 * plan.partitions)
    scale = .filled(0, count: plan.stride)
  }

  private static let rate: Float = 0.25

  func reset() {
    response.clear()
    scale.fill(0)
  }

  /// Adapts the response to the error that this filter made in a block.
  ///
  /// - Parameter error: The spectrum of the error. In each bin, this function multiplies the error
  ///   by the adaptation rate, and divides the product by the smoothed power of the reference.
  func adapt(to history: borrowing ReferenceHistory, error: borrowing Spectra) {
    for bin in groupStarts(history.stride) {
      let total = history.totals.float4(at: bin)
      let smoothed = scale.float4(at: bin) * 0.9 + total * 0.1 + 1e-20
      let larger = smoothed.larger(total * 0.5)
      scale.setFloat4(larger, at: bin)
      let weight = Self.rate / (larger + 1e-6)
      error.setBins(error.bins(at: bin) * weight, at: bin)
    }
    for partition in 0..<history.partitionCount {
      let start = history.start(partition)
      for bin in groupStarts(history.stride) {
        let index = partition * history.stride + bin
        let gradient = history.spectra.bins(at: start + bin).conjugate(times: error.bins(at: bin))
        response.setBins(response.bins(at: index) + gradient, at: index)
      }
    }
  }
}
