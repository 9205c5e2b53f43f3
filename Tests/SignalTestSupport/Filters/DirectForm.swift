#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A bell filter in transposed direct form II, the textbook form. Its coefficients are those of
/// Bristow-Johnson's cookbook.
struct DirectForm<Number: BinaryFloatingPoint>: MovingBell {
  private var (z1, z2): (Number, Number) = (0, 0)
  var coefficients: [Number]

  init(coefficients: [Number]) {
    self.coefficients = coefficients
  }

  static func design(
    _ frequency: Double, _ quality: Double, _ gain: Double, _ rate: Double
  ) -> [Number] {
    let root = pow(10, gain / 40)
    let angle = 2 * Double.pi * frequency / rate
    let alpha = sin(angle) / (2 * quality)
    let norm = 1 + alpha / root
    return [
      (1 + alpha * root) / norm, -2 * cos(angle) / norm, (1 - alpha * root) / norm,
      -2 * cos(angle) / norm, (1 - alpha / root) / norm,
    ].map { Number($0) }
  }

  mutating func filter(_ x: Number) -> Number {
    let y = coefficients[0] * x + z1
    z1 = coefficients[1] * x - coefficients[3] * y + z2
    z2 = coefficients[2] * x - coefficients[4] * y
    return y
  }
}
