internal import HearingDSP
internal import HearingBuffers

/// Resamples frames of 10 ms to 80 samples at exactly 8 kHz. The input may have any rate of 8 kHz
/// or more.
///
/// The resampler is a polyphase filter. There is one windowed sinc filter for each of 32 positions
/// between two input samples. If the input rate is not a multiple of 8 kHz, the resampler
/// interpolates between the outputs of the two nearest filters. The delay is half the length of a
/// filter, about 1.1 ms. At 8 kHz, samples pass unchanged.
struct NarrowbandResampler: ~Copyable {
  /// The number of samples in a frame of 10 ms at 8 kHz.
  static let frameLength = 80

  /// The number of positions between two input samples for which there is a filter.
  private static let phaseCount = 32

  /// The number of zero crossings on each side of the centre of the sinc function.
  private static let crossings = 8.0

  /// The cutoff frequency as a fraction of 8 kHz.
  private static let cutoff = 0.46

  /// The number of input samples per output sample.
  private let step: Double
  /// The number of coefficients of one filter, a multiple of four.
  let tapCount: Int
  /// Whether the input rate is a multiple of 8 kHz. If the input rate is a multiple of 8 kHz, no
  /// output sample lies between two input samples.
  private let isWhole: Bool
  private let filters: OwnedRow<Float>
  /// Memory for four partial sums of each output sample.
  private let sums = OwnedRow<Float>.filled(0, count: 4 * frameLength)

  /// Creates a resampler from `sampleRate` Hz to 8 kHz.
  init(sampleRate: Double) {
    step = sampleRate / 8_000
    isWhole = step == Double(Int(step))
    let length = 2 * Self.crossings / (2 * Self.cutoff) * sampleRate / 8_000
    tapCount = sampleRate > 8_000 ? (Int(length) + 4) / 4 * 4 : 1
    filters = .filled(0, count: tapCount * (Self.phaseCount + 1))
    for phase in 0...Self.phaseCount {
      let filter = filters.from(phase * tapCount)
      var sum = 0.0
      let middle = Double(tapCount) / 2 - 0.5
      let late = Double(phase) / Double(Self.phaseCount)
      for tap in 0..<tapCount {
        // The output sample lies `late` samples before the last input sample.
        let distance = Double(tap) - middle + late - 0.5
        let x = distance / (Double(tapCount) / 2 + 0.5)
        let window = abs(x) < 1 ? 0.5 + 0.5 * CMath.cosine(.pi * x) : 0
        let sinc = CMath.sinc(2 * .pi * Self.cutoff * distance / step)
        filter[tap] = Float(window * sinc)
        sum += Double(filter[tap])
      }
      for tap in 0..<tapCount { filter[tap] = Float(Double(filter[tap]) / sum) }
    }
  }

  /// Resamples a frame to 80 samples.
  ///
  /// - Parameters:
  ///   - samples: The samples of the frame. The `tapCount` samples before the frame must be
  ///     readable.
  ///   - length: The number of samples in the frame.
  ///   - start: The exact start of the 10 ms frame, in samples relative to the first sample of the
  ///     frame: −1…0.
  func process(_ samples: Row<Float>, length: Int, start: Double, to target: Row<Float>) {
    if tapCount == 1 { return CallBlock.copy(samples, to: target, count: Self.frameLength) }
    if isWhole {
      decimate(samples)
    } else {
      interpolate(samples, length: length, start: start)
    }
    // The four partial sums are added in a separate loop. If they were added in `decimate` or
    // `interpolate`, the compiler would split the SIMD vectors of that function.
    for index in 0..<Self.frameLength { target[index] = sums.float4(at: 4 * index).sum() }
  }

  /// Computes four partial sums of each output sample. The sums are interpolated between the
  /// outputs of the two nearest filters.
  private func interpolate(_ samples: Row<Float>, length: Int, start: Double) {
    for index in 0..<Self.frameLength {
      let position = start + Double(index + 1) * step
      // The filter ends with the first sample at or after `position`. Because of a rounding error,
      // `position` may lie after the frame. Therefore `end` is limited to `length`.
      let end = min(Int(position.roundedUp), length)
      let window = samples.from(end - tapCount)
      let scaled = Float(max(0, Double(end) - position)) * Float(Self.phaseCount)
      let phase = min(Int(scaled), Self.phaseCount - 1)
      let fraction = scaled - Float(phase)
      let filter = filters.from(phase * tapCount)
      var (one, other) = (Float4.zero, Float4.zero)
      for tap in groupStarts(tapCount) {
        let sound = window.float4(at: tap)
        one += sound * filter.float4(at: tap)
        other += sound * filter.float4(at: tap &+ tapCount)
      }
      sums.setFloat4(one + (other - one) * fraction, at: 4 * index)
    }
  }

  /// Resamples from a rate that is a multiple of 8 kHz. All output samples use the same filter.
  private func decimate(_ samples: Row<Float>) {
    let step = Int(step)
    for output in stride(from: 0, to: Self.frameLength, by: 8) {
      let sound = samples.from((output + 1) * step - tapCount)
      var group = EightSums()
      for tap in groupStarts(tapCount) {
        group.add(sound, at: tap, step: step, times: filters.float4(at: tap))
      }
      group.write(to: sums.from(4 * output))
    }
  }
}
