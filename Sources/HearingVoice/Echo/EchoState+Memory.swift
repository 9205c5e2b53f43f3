internal import HearingDSP

extension EchoState {
  init(plan: EchoPlan, sampleRate: Double) {
    self.plan = plan
    transform = RealTransform(length: 2 * plan.block)
    history = ReferenceHistory(plan: plan)
    room = RoomFilter(plan: plan, sampleRate: sampleRate)
    shadow = ShadowFilter(plan: plan)
    reference = .filled(0, count: 2 * plan.block)
    microphone = .filled(0, count: plan.block)
    error = .filled(0, count: 2 * plan.block)
    head = .filled(0, count: plan.block)
    tail = .filled(0, count: 2 * plan.block)
    samples = .filled(0, count: 2 * plan.block)
    errorSpectrum = Spectra(stride: plan.stride, count: 1)
    echoSpectrum = Spectra(stride: plan.stride, count: 1)
  }

  func deallocate() {
    transform.deallocate()
    history.deallocate()
    room.deallocate()
    shadow.deallocate()
    for pointer in [reference, microphone, error, head, tail, samples] { pointer.deallocate() }
    errorSpectrum.deallocate()
    echoSpectrum.deallocate()
  }
}
