#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Signals {
  /// The mean square of the samples. Full scale is 1. The result is 0 without samples.
  package static func power(_ samples: some Collection<Float>) -> Double {
    // Reading an array is much faster than reading a collection of unknown type.
    Array(samples).reduce(0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))
  }

  /// The root mean square of the samples. Full scale is 1. The result is 0 without samples.
  package static func rms(_ samples: some Collection<Float>) -> Double {
    power(samples).squareRoot()
  }

  /// The level in dB relative to an RMS of 1.0. The minimum is −200 dB, for digital silence.
  package static func rmsLevel(_ samples: some Collection<Float>) -> Double {
    10 * log10(max(power(samples), 1e-20))
  }

  /// The active speech level in dB according to ITU-T P.56, method B. The thresholds are 0.25 dB
  /// apart.
  package static func activeSpeechLevel(_ samples: ArraySlice<Float>, rate: Double) -> Double {
    let smoothing = exp(-1 / (0.03 * rate))
    var (one, two) = (0.0, 0.0)
    var envelope: [Double] = []
    for sample in samples {
      one = smoothing * one + (1 - smoothing) * Double(abs(sample))
      two = smoothing * two + (1 - smoothing) * one
      envelope.append(two)
    }
    let energy = samples.reduce(0) { $0 + Double($1 * $1) }
    for step in stride(from: 0.0, to: -90, by: -0.25) {
      let threshold = pow(10, step / 20)
      var (active, hangover) = (0, 0)
      for value in envelope {
        hangover = value >= threshold ? Int(0.2 * rate) : max(0, hangover - 1)
        if hangover > 0 { active += 1 }
      }
      guard active > 0 else { continue }
      let level = 10 * log10(energy / Double(active))
      if level - step >= 15.9 { return level }
    }
    return -100
  }

  /// A tone with a peak of `amplitude`. Full scale is 1.
  package static func tone(
    _ frequency: Double, amplitude: Double = 0.1, rate: Double, seconds: Double
  ) -> [Float] {
    sine(frequency, rate: rate, count: Int(rate * seconds), amplitude: amplitude)
  }

  /// A tone of `level` dB SPL at the default calibration.
  package static func tone(
    _ frequency: Double, level: Double, rate: Double, seconds: Double
  ) -> [Float] {
    sine(
      frequency, rate: rate, count: Int(rate * seconds),
      amplitude: 2.0.squareRoot() * pow(10, (level - 100) / 20))
  }

  /// The level in dB SPL of the tone at `frequency` Hz in `samples`.
  package static func level(
    ofToneAt frequency: Double, in samples: ArraySlice<Float>, rate: Double
  ) -> Double {
    100 + decibels(tone(frequency, in: samples, rate: rate) / 2.0.squareRoot())
  }

  /// The maximum magnitude that an output ceiling in dB SPL permits at the default calibration.
  package static func bound(_ ceiling: Double) -> Double {
    2.0.squareRoot() * pow(10, (ceiling - 100) / 20)
  }

  /// Removes the tone at `frequency` Hz from `samples`, and returns the level of the remaining
  /// signal in dB. This level is relative to the level of `samples`. The samples must contain whole
  /// periods of the tone.
  package static func distortion(
    ofToneAt frequency: Double, in samples: ArraySlice<Float>, rate: Double
  ) -> Double {
    let step = 2 * Double.pi * frequency / rate
    let scale = 2 / Double(samples.count)
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      real += Double(sample) * cos(step * Double(index)) * scale
      imaginary += Double(sample) * sin(step * Double(index)) * scale
    }
    var (rest, total) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let tone = real * cos(step * Double(index)) + imaginary * sin(step * Double(index))
      rest += (Double(sample) - tone) * (Double(sample) - tone)
      total += Double(sample) * Double(sample)
    }
    return 10 * log10(max(rest / total, 1e-20))
  }
}
