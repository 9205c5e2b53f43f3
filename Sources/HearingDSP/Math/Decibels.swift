/// Decibels per doubling, for logarithms to base 2 on the render path.
@usableFromInline package enum Decibels {
  /// 20 log10(2): per doubling of an amplitude.
  @inlinable package static var perOctave: Float {
    @inline(__always) get { 6.020_6 }
  }

  /// 10 log10(2): per doubling of a power.
  @inlinable package static var perOctaveOfPower: Float {
    @inline(__always) get { 3.010_3 }
  }
}

/// Levels in dB on the control side.
extension CMath {
  /// The amplitude ratio of a level difference in dB.
  package static func amplitude(decibels: Double) -> Double { power(10, decibels / 20) }

  /// The logarithm to base 2 of the amplitude ratio of a level difference in dB.
  package static func octaves(decibels: Double) -> Double { decibels * (binaryLogarithm(10) / 20) }

  /// The level difference in dB of an amplitude ratio; −∞ for 0.
  package static func decibels(amplitude: Double) -> Double { 20 * commonLogarithm(amplitude) }
}
