package import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Noise with a given power spectrum. A density function returns the power per Hz at a frequency in
/// Hz.
package enum ShapedNoise {
  /// Periodic Gaussian noise with random phases. The number of samples must be a power of two.
  package static func samples(
    count: Int, rate: Double, using generator: inout SeededGenerator,
    density: (Double) -> Double
  ) -> [Float] {
    var real = [Double](repeating: 0, count: count)
    var imaginary = real
    for bin in 1..<count / 2 {
      let frequency = Double(bin) * rate / Double(count)
      // Each bin becomes a sine. Its power is amplitude² / 2, which must equal the density
      // multiplied by the width of the bin.
      let amplitude = (density(frequency) * rate / Double(count) * 2).squareRoot()
      let phase = Double.random(in: 0..<2 * .pi, using: &generator)
      real[bin] = amplitude * cos(phase)
      imaginary[bin] = amplitude * sin(phase)
    }
    Spectrum.transform(&real, &imaginary)
    return real.map(Float.init)
  }

  /// Third-octave levels of speech in dB, from 63 Hz to 16 kHz (Byrne et al. 1994, both sexes).
  private static let speechLevels: [(frequency: Double, level: Double)] = [
    (63, 38.6), (80, 43.5), (100, 54.4), (125, 57.7), (160, 56.8), (200, 60.2), (250, 60.3),
    (315, 59.0), (400, 62.1), (500, 62.1), (630, 60.5), (800, 56.8), (1_000, 53.7),
    (1_250, 53.0), (1_600, 52.0), (2_000, 48.7), (2_500, 48.1), (3_150, 46.8), (4_000, 45.6),
    (5_000, 44.5), (6_300, 44.3), (8_000, 43.7), (10_000, 43.4), (12_500, 41.3),
    (16_000, 40.7),
  ]

  /// The power density of speech. A power of 1 represents 100 dB.
  package static func speechDensity(_ frequency: Double) -> Double {
    guard frequency > 50 else { return 0 }
    let levels = speechLevels
    let above = levels.firstIndex { $0.frequency > frequency } ?? levels.count - 1
    let (low, high) = (levels[max(1, above) - 1], levels[max(1, above)])
    let fraction = log(frequency / low.frequency) / log(high.frequency / low.frequency)
    let (lower, upper) = (
      low.level - 10 * log10(low.frequency), high.level - 10 * log10(high.frequency)
    )
    let level = lower + min(max(fraction, 0), 1) * (upper - lower)
    return pow(10, (level - 100) / 10)
  }
}
