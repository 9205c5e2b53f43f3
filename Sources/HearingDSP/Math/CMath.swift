#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Functions of the C library. Code on the audio thread never calls these functions.
package enum CMath {
  package static func tangent(_ x: Double) -> Double { tan(x) }

  package static func arcTangent(_ x: Double) -> Double { atan(x) }

  package static func cosine(_ x: Double) -> Double { cos(x) }

  /// sin(x) / x. The result for 0 is 1.
  package static func sinc(_ x: Double) -> Double {
    abs(x) < 1e-9 ? 1 : cosine(x - .pi / 2) / x
  }

  package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  package static func exponential(_ x: Double) -> Double { exp(x) }

  package static func commonLogarithm(_ x: Double) -> Double { log10(x) }

  package static func binaryLogarithm(_ x: Double) -> Double { log2(x) }
}
