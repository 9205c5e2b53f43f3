#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The same bell filter as ``DirectForm``, as a state-variable filter according to Simper. The
/// processors of this package use this form.
struct StateVariableForm<Number: BinaryFloatingPoint>: MovingBell {
  private var (s1, s2): (Number, Number) = (0, 0)
  var coefficients: [Number]

  init(coefficients: [Number]) {
    self.coefficients = coefficients
  }

  static func design(
    _ frequency: Double, _ quality: Double, _ gain: Double, _ rate: Double
  ) -> [Number] {
    let root = pow(10, gain / 40)
    let g = tan(.pi * frequency / rate)
    let k = 1 / (quality * root)
    return [1 / (1 + g * (g + k)), g, k * (root * root - 1)].map { Number($0) }
  }

  mutating func filter(_ x: Number) -> Number {
    let v1 = coefficients[0] * (s1 + coefficients[1] * (x - s2))
    let v2 = s2 + coefficients[1] * v1
    s1 = 2 * v1 - s1
    s2 = 2 * v2 - s2
    return x + coefficients[2] * v1
  }
}
