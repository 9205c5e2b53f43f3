internal import HearingDSP

/// Replaces the noise of the room where echo suppression removes it together with the echo.
///
/// Each bin gets a random number whose power is what the noise has lost. The random numbers come from a
/// linear congruential generator, so that a call renders the same bits again.
struct ComfortNoise {
  private var state: UInt32 = 1

  @_noLocks @_noAllocation
  init() {}

  /// Adds noise to the first spectrum of `frames`.
  ///
  /// - Parameters:
  ///   - noise: Power of the room's noise, `[bin]`.
  ///   - echoGains: The gains of echo suppression, `[bin]`, to be multiplied by `echoOnlyGain`.
  ///   - noiseGain: The gain of noise suppression where there is only noise.
  @_noLocks @_noAllocation
  mutating func add(
    to frames: borrowing ShortTimeFrames, noise: UnsafeMutablePointer<Float>,
    echoGains: UnsafeMutablePointer<Float>, echoOnlyGain: Float, noiseGain: Float
  ) {
    let (real, imaginary) = (frames.spectra.real, frames.spectra.imaginary)
    // Uniform numbers in ±√1.5 have half the power 1, for each of the two parts.
    let scale = 1.5 * noiseGain * noiseGain / frames.randomGain
    var bin = 0
    while bin < frames.stride {
      let gain = echoGains.float4(at: bin) * echoOnlyGain
      let lost = noise.float4(at: bin) * (1 - gain * gain) * scale
      let bounded = lost.replacing(with: Float4(repeating: 1e-20), where: lost .< 1e-20)
      let amplitude = (bounded.binaryLogarithm * 0.5).powerOfTwo
      for lane in 0..<4 where bin + lane > 0 && bin + lane < frames.bins - 1 {
        real[bin + lane] += amplitude[lane] * random()
        imaginary[bin + lane] += amplitude[lane] * random()
      }
      bin += 4
    }
  }

  /// The next random number, −1…1.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func random() -> Float {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(Int32(bitPattern: state)) * 0x1p-31
  }
}
