/// Four sections of a cascade side by side, with coefficients that may move, in one form or another.
///
/// The same skew of lanes for all forms: what one section makes of a sample is heard by the next one
/// a sample later.
protocol FilterForm {
  init()
  mutating func filter(_ x: SIMD4<Float>) -> SIMD4<Float>
  /// Adds a sample's share of the way to other coefficients.
  mutating func move()
}
