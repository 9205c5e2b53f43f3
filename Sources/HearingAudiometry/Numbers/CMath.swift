#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Functions of the C library that this module uses.
enum CMath {
  static func exponential(_ x: Double) -> Double { exp(x) }

  static func logarithm(_ x: Double) -> Double { log(x) }

  static func binaryLogarithm(_ x: Double) -> Double { log2(x) }

  static func sine(_ x: Double) -> Double { sin(x) }

  static func cosine(_ x: Double) -> Double { cos(x) }

  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  /// The cumulative standard normal distribution at `x`.
  static func normalProbability(below x: Double) -> Double { 0.5 * erfc(-x * 0.5.squareRoot()) }

  /// The amplitude ratio for a level difference in dB.
  static func amplitude(decibels: Double) -> Double { pow(10, decibels / 20) }

  /// The level difference in dB for an amplitude ratio; −∞ if the ratio is 0.
  static func decibels(amplitude: Double) -> Double { 20 * log10(amplitude) }
}
