/// Four sections of a filter cascade in one SIMD vector, one section per lane.
///
/// In each call of ``filter(_:)``, a section processes the sample that the previous section
/// processed in the previous call. The coefficients are constant, or ``advance()`` changes them
/// after every sample.
protocol FilterForm {
  init()
  mutating func filter(_ x: SIMD4<Float>) -> SIMD4<Float>
  /// Changes the coefficients by the amount for one sample.
  mutating func advance()
}

/// The transposed direct form II. A bell filter in this form has four different coefficients.
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
  mutating func advance() {
    gains.0 += step
    gains.1 += step
    poles.0 += step
    poles.1 += step
  }
}

/// The state-variable form according to Simper. A bell filter in this form has three coefficients.
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
  mutating func advance() {
    share += step
    warped += step
    gain += step
  }
}
