#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The C functions that prescriptions use. Rules, audiograms and presets call the functions of
/// ``CMath`` instead of functions of Foundation.
enum CMath {
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  static func binaryPower(_ exponent: Double) -> Double { exp2(exponent) }

  static func binaryLogarithm(_ x: Double) -> Double { log2(x) }

  static func commonLogarithm(_ x: Double) -> Double { log10(x) }
}
