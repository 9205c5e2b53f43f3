extension RealTransform {
  /// A transform of `length` samples: a power of two, 32 or more.
  init(length: Int) {
    half = ComplexTransform(count: length / 2)
    let count = half.count / 2 + 1
    cosines = .filled(0, count: count)
    sines = .filled(0, count: count)
    for index in 0..<count {
      let angle = Double.pi * Double(index) / Double(half.count)
      cosines[index] = Float(Elementary.cosine(angle))
      sines[index] = Float(Elementary.cosine(angle - Double.pi / 2))
    }
  }

  func deallocate() {
    half.deallocate()
    cosines.deallocate()
    sines.deallocate()
  }
}
