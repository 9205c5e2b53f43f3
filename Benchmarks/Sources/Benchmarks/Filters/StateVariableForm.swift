/// The state-variable form after Simper; a bell has three coefficients.
struct StateVariableForm: FilterForm {
  private var share = SIMD4<Float>(repeating: 0.96)
  private var warped = SIMD4<Float>(repeating: 0.07)
  private var gain = SIMD4<Float>(repeating: 1.2)
  private var states = (SIMD4<Float>.zero, SIMD4<Float>.zero)
  private let step = SIMD4<Float>(repeating: 1e-12)

  @inline(__always)
  mutating func filter(_ x: SIMD4<Float>) -> SIMD4<Float> {
    let band = share * (states.0 + warped * (x - states.1))
    let low = states.1 + warped * band
    states.0 = band + band - states.0
    states.1 = low + low - states.1
    return x + gain * band
  }

  @inline(__always)
  mutating func move() {
    share += step
    warped += step
    gain += step
  }
}
