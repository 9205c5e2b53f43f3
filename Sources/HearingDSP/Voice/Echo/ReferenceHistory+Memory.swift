extension ReferenceHistory {
  init(plan: EchoPlan) {
    stride = plan.stride
    partitions = plan.partitions
    spectra = Spectra(stride: stride, count: partitions)
    powers = .zeros(stride * partitions)
    totals = .zeros(stride)
    energies = .zeros(partitions)
  }

  func deallocate() {
    spectra.deallocate()
    powers.deallocate()
    totals.deallocate()
    energies.deallocate()
  }
}
