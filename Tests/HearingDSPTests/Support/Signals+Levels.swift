#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Signals {
  /// A tone of `level` dB SPL at the default calibration.
  static func tone(
    _ frequency: Double, level: Double, rate: Double, seconds: Double
  ) -> [Float] {
    sine(
      frequency, rate: rate, count: Int(rate * seconds),
      amplitude: 2.0.squareRoot() * pow(10, (level - 100) / 20))
  }

  /// The level in dB SPL of the tone at `frequency` Hz in `samples`.
  static func level(
    ofToneAt frequency: Double, in samples: ArraySlice<Float>, rate: Double
  ) -> Double {
    100 + decibels(tone(frequency, in: samples, rate: rate) / 2.0.squareRoot())
  }
}
