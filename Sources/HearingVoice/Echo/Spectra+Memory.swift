internal import HearingDSP

extension Spectra {
  init(stride: Int, count: Int) {
    self.stride = stride
    self.count = count
    real = .filled(0, count: stride * count)
    imaginary = .filled(0, count: stride * count)
  }

  func deallocate() {
    real.deallocate()
    imaginary.deallocate()
  }
}
