internal import Foundation
internal import HearingDSP

/// A constant attenuation that prevents amplified samples from clipping.
///
///     let scaling = OutputScaling(encoding: .int16, ceilingSPL: 105, fullScaleSPL: 100)
///     let writer = try WAVWriter(path: path, format: format, gain: scaling.gain)
///     print(scaling)
///
/// Let C be the processor's output ceiling in dB SPL. Let F be the level in dB SPL of an RMS of
/// 1.0. The processor limits the magnitude of every sample to the peak of a sine with level C. This
/// peak is √2 · 10^((C − F)/20). If the peak exceeds 1.0, the attenuation is about C − F + 3.01 dB.
/// For an integer encoding, the attenuated peak is the largest positive integer. For a
/// floating-point encoding, the attenuated peak is 1 − 2/32768. A player that converts this peak to
/// 16 bits can add dither without clipping.
///
/// An attenuation that is computed from C and F does not depend on the signal. Therefore the
/// attenuation is also suitable for live audio. For a recording,
/// ``init(encoding:peak:fullScaleSPL:)`` computes an attenuation from the measured peak of the
/// output. The attenuation from a measured peak is usually smaller than the attenuation from C and
/// F. However, the recording must be rendered twice: once for the measurement and once for the
/// output.
///
/// The output ceiling does not limit unprocessed samples. For unprocessed samples, use
/// ``unchanged(fullScaleSPL:)``.
public struct OutputScaling: Sendable, Equatable {
  /// The attenuation in dB, at least 0.
  public let attenuation: Double

  /// The level in dB SPL that an RMS of 1.0 represents in the output.
  public let fullScaleSPL: Double

  /// Computes the scaling from the output ceiling of the processor.
  ///
  /// - Parameters:
  ///   - encoding: The format in which samples are stored.
  ///   - ceilingSPL: The processor's output ceiling in dB SPL.
  ///   - fullScaleSPL: The level in dB SPL of an RMS of 1.0 in the processor.
  ///   - keepsScale: Whether floating-point samples beyond ±1.0 are stored unchanged.
  public init(
    encoding: SampleEncoding, ceilingSPL: Double, fullScaleSPL: Double, keepsScale: Bool = false
  ) {
    precondition(
      ceilingSPL.isFinite && fullScaleSPL.isFinite,
      "ceiling \(ceilingSPL), full scale \(fullScaleSPL) dB SPL")
    let peak = ceilingSPL - fullScaleSPL + CMath.decibels(power: 2)
    self.init(
      attenuation: Self.attenuation(peak, encoding, keepsScale: keepsScale),
      fullScaleSPL: fullScaleSPL)
  }

  /// Computes the scaling for a signal from its measured peak.
  ///
  /// - Parameters:
  ///   - encoding: The format in which samples are stored.
  ///   - peak: The maximum magnitude of a sample in the signal, at least 0.
  ///   - fullScaleSPL: The level in dB SPL of an RMS of 1.0 in the processor.
  public init(encoding: SampleEncoding, peak: Double, fullScaleSPL: Double) {
    precondition(peak >= 0 && peak.isFinite, "a peak of \(peak)")
    self.init(
      attenuation: Self.attenuation(CMath.decibels(amplitude: peak), encoding),
      fullScaleSPL: fullScaleSPL)
  }

  /// The attenuation in dB that prevents a peak from clipping.
  private static func attenuation(
    _ peakDecibels: Double, _ encoding: SampleEncoding, keepsScale: Bool = false
  ) -> Double {
    let largest = encoding.isFloatingPoint && !keepsScale ? largestFloat : encoding.largestSample
    return max(0, peakDecibels - CMath.decibels(amplitude: largest))
  }

  /// Creates a scaling with a given attenuation. For example, use the same attenuation for all
  /// recordings that a listener compares.
  ///
  /// - Parameters:
  ///   - attenuation: The attenuation in dB, at least 0.
  ///   - fullScaleSPL: The level in dB SPL of an RMS of 1.0 in the processor.
  public init(attenuation: Double, fullScaleSPL: Double) {
    precondition(attenuation >= 0 && attenuation.isFinite, "an attenuation of \(attenuation) dB")
    self.attenuation = attenuation
    self.fullScaleSPL = fullScaleSPL + attenuation
  }

  /// A scaling without attenuation. Unprocessed integer samples stay bit-identical.
  ///
  /// - Parameter fullScaleSPL: The level in dB SPL of an RMS of 1.0.
  public static func unchanged(fullScaleSPL: Double) -> OutputScaling {
    precondition(fullScaleSPL.isFinite, "full scale \(fullScaleSPL) dB SPL")
    return OutputScaling(attenuation: 0, fullScaleSPL: fullScaleSPL)
  }

  /// The largest floating-point sample that no player clips. A player may convert samples to 16
  /// bits and add dither. Therefore `largestFloat` is 1/32768 below the largest 16-bit sample.
  private static let largestFloat = SampleEncoding.int16.largestSample - 1 / 32_768.0

  /// The factor by which samples are multiplied for the attenuation, 0…1.
  ///
  /// The factor and the processor's output ceiling are rounded to `Float`. A rounding error could
  /// cause clipping. Therefore every factor below 1 is also multiplied by 1 − 4 · 10⁻⁷.
  public var gain: Float {
    attenuation == 0 ? 1 : Float(CMath.amplitude(decibels: -attenuation) * (1 - 4e-7))
  }
}

extension OutputScaling: CustomStringConvertible {
  /// A line of text for the user. The text contains the attenuation, and the level in dB SPL that
  /// an RMS of 1.0 represents in the output.
  public var description: String {
    let change =
      attenuation > 0
      ? String(format: "attenuated by %.2f dB against clipping", attenuation) : "not attenuated"
    return change + String(format: ": RMS 1.0 stands for %.2f dB SPL", fullScaleSPL)
  }
}
