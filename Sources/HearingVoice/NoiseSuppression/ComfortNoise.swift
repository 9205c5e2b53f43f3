internal import HearingDSP
internal import HearingBuffers

/// Adds comfort noise to the microphone signal. Echo suppression removes the room noise together
/// with the echo. Comfort noise replaces the removed room noise.
///
/// A random complex number is added to each bin of the spectrum. The power of the random numbers
/// equals the power of the removed noise. Four xorshift generators (Marsaglia, Journal of
/// Statistical Software 8, 2003) generate the random numbers. The seeds of the generators are
/// always the same. Therefore equal input gives equal output.
struct ComfortNoise {
  private var state = SIMD4<UInt32>(0x9E37_79B9, 0x7F4A_7C15, 0xBF58_476D, 0x94D0_49BB)

  /// Adds noise to the first spectrum of `frames`.
  ///
  /// - Parameters:
  ///   - noise: The power of the room noise, one value per bin.
  ///   - echoGains: The gains of echo suppression, one value per bin.
  ///   - noiseGain: The gain of noise suppression in bins that contain only noise.
  mutating func add(
    to frames: borrowing ShortTimeFrames, noise: Row<Float>,
    echoGains: Row<Float>, noiseGain: Float
  ) {
    // If random numbers are distributed uniformly from −√1.5 to √1.5, their mean square is 0.5. The
    // real and the imaginary part together have a mean power of 1.
    let scale = 1.5 * noiseGain * noiseGain / frames.randomGain
    for bin in groupStarts(frames.stride) {
      let gain = echoGains.float4(at: bin)
      let lost = noise.float4(at: bin) * (1 - gain * gain) * scale
      // The first bin and the last bin have no imaginary part. Therefore no noise is added to these
      // two bins.
      let bins = SIMD4<Int32>(0, 1, 2, 3) &+ Int32(bin)
      let amplitude = (lost.larger(Float4(repeating: 1e-20)).binaryLogarithm * 0.5).powerOfTwo
        .kept(where: (bins .> 0) .& (bins .< Int32(frames.bins - 1)))
      let random = Complex4(real: amplitude * random(), imaginary: amplitude * random())
      frames.spectra.setBins(frames.spectra.bins(at: bin) + random, at: bin)
    }
  }

  /// Returns the next four random numbers, −1…1.
  private mutating func random() -> Float4 {
    state ^= state &<< 13
    state ^= state &>> 17
    state ^= state &<< 5
    // The bits 0x4000_0000 set the exponent of a floating-point number. The exponent and the random
    // bits form a number from 2 to 4.
    return Float4(bits: SIMD4<Int32>(truncatingIfNeeded: state &>> 9 | 0x4000_0000)) - 3
  }
}
