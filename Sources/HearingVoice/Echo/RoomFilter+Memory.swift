internal import HearingDSP

extension RoomFilter {
  init(plan: EchoPlan, sampleRate: Double) {
    self.plan = plan
    response = Spectra(stride: plan.stride, count: plan.partitions)
    uncertainty = .filled(0, count: plan.stride * plan.partitions)
    formerUncertainty = .filled(0, count: plan.stride * plan.partitions)
    disturbance = .filled(0, count: plan.stride)
    step = Spectra(stride: plan.stride, count: 1)
    scratch = .filled(0, count: 2 * plan.block)
    spread = .filled(0, count: plan.partitions)
    // Reverberation of 0.6 s; what is 10 dB below the first is as likely to be direct sound that
    // comes late.
    var sum: Float = 0
    for partition in 0..<plan.partitions {
      let time = Double(partition * plan.block) / sampleRate
      spread[partition] = Float(max(0.1, Elementary.power(10, -6 * time / 0.6)))
      sum += spread[partition]
    }
    for partition in 0..<plan.partitions { spread[partition] /= sum }
  }

  func deallocate() {
    response.deallocate()
    uncertainty.deallocate()
    formerUncertainty.deallocate()
    disturbance.deallocate()
    spread.deallocate()
    step.deallocate()
    scratch.deallocate()
  }
}
