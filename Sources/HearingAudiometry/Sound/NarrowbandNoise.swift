/// Noise in a third-octave band: a sum of sines with random phases.
///
/// The noise has no power outside the band, so the noise masks only tones inside the band.
struct NarrowbandNoise: Sendable {
  /// The number of sines. The amplitude of a sum of 80 sines fluctuates like the amplitude of
  /// random noise.
  private static let componentCount = 80

  /// The level of noise with an effective masking level of 0 dB HL. The result is in dB above the
  /// reference threshold, which is the sound pressure level of a tone of 0 dB HL. At an effective
  /// masking level of L dB HL, the noise masks half of the tones whose level is L dB HL.
  ///
  /// The source of the values is ISO 389-4:1994 (reference levels for third-octave noise). The
  /// value at 750 Hz is interpolated between 500 and 1000 Hz, because the published value was not
  /// available.
  static func reference(at frequency: Double) -> Double {
    switch frequency {
    case ..<600: 4
    case ..<900: 5
    case ..<3500: 6
    default: 5
    }
  }

  /// The maximum ratio of the peak of the noise to the peak of a sine with the same power, in dB.
  static let headroom = 12.0

  /// Samples of the noise with a root mean square of 1.
  ///
  /// - Parameters:
  ///   - frequency: The centre frequency of the band in Hz.
  ///   - sampleRate: The sample rate in Hz. Only sines with a frequency below 0.49 times the sample
  ///     rate are added.
  static func samples(
    count: Int, frequency: Double, sampleRate: Double, seed: UInt64
  ) -> [Double] {
    var random = RandomSequence(seed: seed)
    var samples = [Double](repeating: 0, count: count)
    let low = frequency * CMath.power(2, -1.0 / 6)
    let high = frequency * CMath.power(2, 1.0 / 6)
    let spacing = (high - low) / Double(componentCount)
    for index in 0..<componentCount {
      let componentFrequency = low + (Double(index) + random.unit()) * spacing
      let phase = 2 * .pi * random.unit()
      guard componentFrequency < 0.49 * sampleRate else { continue }
      add(componentFrequency / sampleRate, phase: phase, to: &samples)
    }
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(max(count, 1))
    let scale = power > 0 ? 1 / power.squareRoot() : 0
    for index in samples.indices { samples[index] *= scale }
    return samples
  }

  /// Adds a sine of amplitude 1. `frequency` is in cycles per sample. The samples are computed by
  /// the rotation of a complex number. A call of the sine function for each sample would be slower.
  private static func add(_ frequency: Double, phase: Double, to samples: inout [Double]) {
    let step = 2 * Double.pi * frequency
    let (rotationReal, rotationImaginary) = (CMath.cosine(step), CMath.sine(step))
    var real = CMath.cosine(phase)
    var imaginary = CMath.sine(phase)
    for index in samples.indices {
      samples[index] += imaginary
      (real, imaginary) = (
        real * rotationReal - imaginary * rotationImaginary,
        real * rotationImaginary + imaginary * rotationReal
      )
    }
  }
}
