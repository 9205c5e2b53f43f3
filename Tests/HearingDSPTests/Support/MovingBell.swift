/// A bell whose coefficients can be moved.
protocol MovingBell {
  associatedtype Number: BinaryFloatingPoint
  var coefficients: [Number] { get }
  init(frequency: Double, quality: Double, gain: Double, rate: Double)
  static func design(
    _ frequency: Double, _ quality: Double, _ gain: Double, _ rate: Double
  ) -> [Number]
  /// Goes `share` of the way to other coefficients.
  mutating func move(to target: [Number], share: Number)
  mutating func filter(_ x: Number) -> Number
}
