#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Functions of the C library that prescriptions use. Because of these functions, rules, audiograms
/// and presets do not depend on Foundation.
enum CMath {
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  static func binaryPower(_ exponent: Double) -> Double { exp2(exponent) }

  static func binaryLogarithm(_ x: Double) -> Double { log2(x) }

  static func commonLogarithm(_ x: Double) -> Double { log10(x) }
}
