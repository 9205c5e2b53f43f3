internal import HearingDSP

extension ShadowFilter {
  init(plan: EchoPlan) {
    self.plan = plan
    response = Spectra(stride: plan.stride, count: plan.partitions)
    scale = .filled(0, count: plan.stride)
    step = Spectra(stride: plan.stride, count: 1)
  }

  func deallocate() {
    response.deallocate()
    scale.deallocate()
    step.deallocate()
  }
}
