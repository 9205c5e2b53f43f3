#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Functions of the C library for the control side. The render path calls none of them.
package enum CMath {
  package static func tangent(_ x: Double) -> Double { tan(x) }

  package static func arcTangent(_ x: Double) -> Double { atan(x) }

  package static func cosine(_ x: Double) -> Double { cos(x) }

  package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  package static func exponential(_ x: Double) -> Double { exp(x) }

  package static func commonLogarithm(_ x: Double) -> Double { log10(x) }

  package static func binaryLogarithm(_ x: Double) -> Double { log2(x) }

  /// The amplitude ratio of a level difference in dB.
  package static func amplitude(decibels: Double) -> Double { pow(10, decibels / 20) }

  /// The logarithm to base 2 of the amplitude ratio of a level difference in dB.
  package static func octaves(decibels: Double) -> Double { decibels * (log2(10) / 20) }

  /// The level difference in dB of an amplitude ratio; −∞ for 0.
  package static func decibels(amplitude: Double) -> Double { 20 * log10(amplitude) }
}
