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

  /// What is left beside the tone at `frequency` Hz, of which `samples` hold whole periods, in per
  /// cent of all.
  static func distortion(
    ofToneAt frequency: Double, in samples: ArraySlice<Float>, rate: Double
  ) -> Double {
    let step = 2 * Double.pi * frequency / rate
    let share = 2 / Double(samples.count)
    let waves = samples.indices.map { (cos(step * Double($0)), sin(step * Double($0))) }
    var (real, imaginary) = (0.0, 0.0)
    for (sample, wave) in zip(samples, waves) {
      real += share * Double(sample) * wave.0
      imaginary += share * Double(sample) * wave.1
    }
    var (rest, total) = (0.0, 0.0)
    for (sample, wave) in zip(samples, waves) {
      let other = Double(sample) - real * wave.0 - imaginary * wave.1
      rest += other * other
      total += Double(sample) * Double(sample)
    }
    return 100 * (rest / total).squareRoot()
  }
}
