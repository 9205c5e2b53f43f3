internal import HearingDSP

extension ReferenceHistory {
  init(plan: EchoPlan) {
    stride = plan.stride
    partitions = plan.partitions
    spectra = Spectra(stride: stride, count: partitions)
    powers = .filled(0, count: stride * partitions)
    totals = .filled(0, count: stride)
    energies = .filled(0, count: partitions)
  }

  func deallocate() {
    spectra.deallocate()
    powers.deallocate()
    totals.deallocate()
    energies.deallocate()
  }
}
