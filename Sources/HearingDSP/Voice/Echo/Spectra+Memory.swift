extension Spectra {
  init(stride: Int, count: Int) {
    self.stride = stride
    self.count = count
    real = .zeros(stride * count)
    imaginary = .zeros(stride * count)
  }

  func deallocate() {
    real.deallocate()
    imaginary.deallocate()
  }
}
