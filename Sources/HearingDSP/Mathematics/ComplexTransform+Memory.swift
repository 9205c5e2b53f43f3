extension ComplexTransform {
  /// A transform of `count` numbers: a power of two, 16 or more.
  init(count: Int) {
    precondition(
      count >= 16 && count & (count - 1) == 0, "\(count) is not a power of two from 16 on")
    self.count = count
    real = .filled(0, count: count)
    imaginary = .filled(0, count: count)
    otherReal = .filled(0, count: count)
    otherImaginary = .filled(0, count: count)
    factors = .filled(0, count: 2 * count)
    var place = 0
    var stride = 1
    while stride * 4 <= count {
      let steps = count / (4 * stride)
      for power in 1...3 {
        for step in 0..<steps {
          let angle = -2 * Double.pi * Double(power * step) / Double(4 * steps)
          factors[place + step] = Float(Elementary.cosine(angle))
          factors[place + steps + step] = Float(Elementary.cosine(angle - Double.pi / 2))
        }
        place += 2 * steps
      }
      stride *= 4
    }
  }

  func deallocate() {
    real.deallocate()
    imaginary.deallocate()
    otherReal.deallocate()
    otherImaginary.deallocate()
    factors.deallocate()
  }
}
