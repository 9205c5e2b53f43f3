/// The transposed direct form II; a bell has four different coefficients.
struct DirectForm: FilterForm {
  private var gains = (SIMD4<Float>(repeating: 1.05), SIMD4<Float>(repeating: 0.89))
  private var poles = (SIMD4<Float>(repeating: -1.93), SIMD4<Float>(repeating: 0.94))
  private var states = (SIMD4<Float>.zero, SIMD4<Float>.zero)
  private let step = SIMD4<Float>(repeating: 1e-12)

  @inline(__always)
  mutating func filter(_ x: SIMD4<Float>) -> SIMD4<Float> {
    let y = gains.0 * x + states.0
    states.0 = poles.0 * (x - y) + states.1
    states.1 = gains.1 * x - poles.1 * y
    return y
  }

  @inline(__always)
  mutating func move() {
    gains.0 += step
    gains.1 += step
    poles.0 += step
    poles.1 += step
  }
}
