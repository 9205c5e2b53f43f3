/// A bell filter with coefficients that can change linearly over time.
protocol MovingBell {
  associatedtype Number: BinaryFloatingPoint
  var coefficients: [Number] { get set }
  init(coefficients: [Number])
  static func design(
    _ frequency: Double, _ quality: Double, _ gain: Double, _ rate: Double
  ) -> [Number]
  mutating func filter(_ x: Number) -> Number
}

extension MovingBell {
  init(frequency: Double, quality: Double, gain: Double, rate: Double) {
    self.init(coefficients: Self.design(frequency, quality, gain, rate))
  }

  /// Moves each coefficient towards `target`, by the given fraction of the distance between them.
  mutating func move(to target: [Number], fraction: Number) {
    for index in coefficients.indices {
      coefficients[index] += (target[index] - coefficients[index]) * fraction
    }
  }
}
