/// The changes of a level in dB when an amplitude or a power doubles. Code on the audio thread
/// multiplies a logarithm to base 2 by one of these constants. The product is a level in dB.
@usableFromInline package enum Decibels {
  /// The level change in dB for a doubling of an amplitude: 20 log10(2).
  @inlinable package static var perOctave: Float {
    @inline(__always) get { 6.020_6 }
  }

  /// The level change in dB for a doubling of a power: 10 log10(2).
  @inlinable package static var perOctaveOfPower: Float {
    @inline(__always) get { 3.010_3 }
  }
}

/// Conversions between levels in dB and ratios. Code on the audio thread never calls these
/// functions.
extension CMath {
  /// The amplitude ratio for a level difference in dB.
  package static func amplitude(decibels: Double) -> Double { power(10, decibels / 20) }

  /// The logarithm to base 2 of the amplitude ratio for a level difference in dB.
  package static func octaves(decibels: Double) -> Double { decibels * (binaryLogarithm(10) / 20) }

  /// The level difference in dB for an amplitude ratio. The result for 0 is −∞.
  package static func decibels(amplitude: Double) -> Double { 20 * commonLogarithm(amplitude) }

  /// The power ratio for a level difference in dB.
  package static func power(decibels: Double) -> Double { power(10, decibels / 10) }

  /// The level difference in dB for a power ratio. The result for 0 is −∞.
  package static func decibels(power: Double) -> Double { 10 * commonLogarithm(power) }
}
