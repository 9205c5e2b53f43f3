public import HearingFitting

/// The samples of one presentation for both ears. The samples contain the wait, the tone and the
/// ``Presentation/responseTail``.
///
///     let sound = try PresentationSound(
///       presentation, calibration: calibration, sampleRate: 48_000)
///     play(left: sound[.left], right: sound[.right])
///
/// The level of full scale is the level of a sine of amplitude 1. If there is no masking noise, the
/// samples of the ear that is not tested are 0. If the calibration and the sample rate are also
/// equal, two equal presentations have equal samples.
public struct PresentationSound: Sendable {
  /// The samples of the ear that is tested.
  private let tone: [Float]
  /// The samples of the ear that is not tested. The samples are masking noise or zeros.
  private let noise: [Float]
  private let ear: Ear
  /// The index of the sample at which the tone begins.
  public let onset: Int

  /// The duration in seconds of the fade-in at the start of the masking noise. The fade-out at the
  /// end has the same duration.
  private static let noiseRamp = 0.1

  /// Creates the samples of a presentation.
  ///
  /// - Throws: ``HearingTestError``, for example if the level is above the maximum safe level, or
  ///   if the masking noise would exceed full scale.
  public init(
    _ presentation: Presentation, calibration: HeadphoneCalibration, sampleRate: Double
  ) throws(HearingTestError) {
    let frequency = presentation.frequency
    guard let point = calibration.point(at: frequency),
      let limit = calibration.largestLevel(at: frequency)
    else { throw .unknownFrequency(frequency) }
    guard (8_000...768_000).contains(sampleRate), frequency < 0.48 * sampleRate else {
      throw .sampleRate(sampleRate)
    }
    for level in [presentation.level, presentation.maskingLevel ?? 0] {
      guard level <= limit else {
        throw .unsafeLevel(level, frequency: frequency, limit: limit)
      }
    }
    guard Presentation.responseTails.contains(presentation.responseTail) else {
      throw .responseTail(presentation.responseTail)
    }
    // A wait that is negative or not a number counts as 0 s.
    let wait = presentation.wait > 0 ? min(presentation.wait, 60) : 0
    let count = Int(
      ((wait + presentation.tone.duration + presentation.responseTail) * sampleRate)
        .rounded(.up))
    onset = Int((wait * sampleRate).rounded())
    ear = presentation.ear
    var tone = [Float](repeating: 0, count: count)
    if !presentation.isSilent {
      // The level of a sine with amplitude 1 is the full-scale level.
      let amplitude = CMath.amplitude(
        decibels: presentation.level + point.referenceThreshold - point.fullScaleLevel)
      let envelope = ToneEnvelope(shape: presentation.tone)
      for index in onset..<count {
        let time = Double(index - onset) / sampleRate
        guard time < presentation.tone.duration else { break }
        // The phase is the integral of the frequency. The frequency deviation is a cosine of time,
        // so the phase deviation is a sine.
        let warble = 2 * .pi * ToneShape.warbleRate
        let cycles =
          frequency
          * (time + presentation.tone.deviation * CMath.sine(warble * time) / warble)
        tone[index] = Float(
          amplitude * envelope.amplitude(at: time)
            * CMath.sine(2 * .pi * (cycles - cycles.rounded(.down))))
      }
    }
    self.tone = tone
    noise =
      presentation.masking.map { masking in
        Self.noise(
          count: count, sampleRate: sampleRate, frequency: frequency,
          // The level of the noise equals the level of a sine with the same power. A sine of
          // amplitude 1 has a root mean square of 1 / √2.
          amplitude: CMath.amplitude(
            decibels: masking.level + NarrowbandNoise.reference(at: frequency)
              + point.referenceThreshold - point.fullScaleLevel) * 0.5.squareRoot())
      } ?? Array(repeating: 0, count: count)
    if let maskingLevel = presentation.maskingLevel,
      let peak = noise.map({ abs(Double($0)) }).max(), peak > 1
    {
      let largest = maskingLevel - CMath.decibels(amplitude: peak)
      throw .unsafeLevel(maskingLevel, frequency: frequency, limit: largest.rounded(.down))
    }
  }

  private static func noise(
    count: Int, sampleRate: Double, frequency: Double, amplitude: Double
  ) -> [Float] {
    let samples = NarrowbandNoise.samples(
      count: count, frequency: frequency, sampleRate: sampleRate,
      seed: UInt64(frequency.rounded()) &* 31)
    let ramp = Int(noiseRamp * sampleRate)
    return samples.enumerated().map { index, sample in
      let distance = min(index, count - 1 - index)
      let gain =
        distance >= ramp
        ? 1 : 0.5 - 0.5 * CMath.cosine(.pi * Double(distance) / Double(ramp))
      return Float(sample * gain * amplitude)
    }
  }

  /// The number of samples for each ear.
  public var count: Int { tone.count }

  /// The samples for one ear.
  public subscript(ear: Ear) -> [Float] {
    ear == self.ear ? tone : noise
  }

  /// The samples of both ears, interleaved, with the left ear first.
  public var interleaved: [Float] {
    let (left, right) = (self[.left], self[.right])
    var frames = [Float](repeating: 0, count: 2 * count)
    for index in 0..<count {
      frames[2 * index] = left[index]
      frames[2 * index + 1] = right[index]
    }
    return frames
  }

  /// The samples of both ears, interleaved, with the left ear first. Each sample is a signed 24-bit
  /// integer in three bytes, little-endian.
  ///
  /// Without dither, rounding to 24 bits would cause harmonics of the tone. Triangular dither with
  /// a peak-to-peak width of two quantization steps prevents these harmonics. Samples with the
  /// value 0 are not dithered.
  public var interleaved24: [UInt8] {
    var random = RandomSequence(seed: 24)
    let samples = interleaved
    var bytes = [UInt8](repeating: 0, count: 3 * samples.count)
    for (index, sample) in samples.enumerated() where sample != 0 {
      let dither = random.unit() - random.unit()
      let scaled = (Double(sample) * 8_388_608 + dither).rounded()
      let value = Int32(min(max(scaled, -8_388_608), 8_388_607))
      for byte in 0..<3 {
        bytes[3 * index + byte] = UInt8(truncatingIfNeeded: value >> Int32(8 * byte))
      }
    }
    return bytes
  }
}
