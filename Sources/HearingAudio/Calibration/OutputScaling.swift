internal import Foundation

/// The constant attenuation that keeps amplified sound from clipping in an integer file.
///
///     let scaling = OutputScaling(encoding: .int16, ceilingSPL: 105, fullScaleSPL: 100)
///     let writer = try WAVWriter(path: path, format: format, gain: scaling.gain)
///     print(scaling)
///
/// A processor's output ceiling of C dB SPL bounds every sample by √2 · 10^((C − F)/20), the peak
/// of a sine of that level, where F is the level of RMS 1.0. If that is more than integers can
/// hold, everything is attenuated by C − F + 3.01 dB (exactly: so that the bound becomes the
/// largest positive integer). Floating point keeps its scale. The attenuation never depends on the
/// sound. It does not help sound that bypasses
/// the ceiling: that is for ``unchanged(fullScaleSPL:)``.
public struct OutputScaling: Sendable, Equatable {
  /// The attenuation in dB, at least 0.
  public let attenuation: Double

  /// The level in dB SPL that an RMS of 1.0 stands for in the output.
  public let fullScaleSPL: Double

  /// Finds the scaling.
  ///
  /// - Parameters:
  ///   - encoding: How the output is stored.
  ///   - ceilingSPL: The processor's output ceiling in dB SPL.
  ///   - fullScaleSPL: The level in dB SPL of an RMS of 1.0 in the processor.
  public init(encoding: SampleEncoding, ceilingSPL: Double, fullScaleSPL: Double) {
    precondition(
      ceilingSPL.isFinite && fullScaleSPL.isFinite,
      "ceiling \(ceilingSPL), full scale \(fullScaleSPL) dB SPL")
    let peak = ceilingSPL - fullScaleSPL + 10 * log10(2)
    attenuation = max(0, peak - 20 * log10(encoding.largestSample))
    self.fullScaleSPL = fullScaleSPL + attenuation
  }

  /// The scaling of sound that is passed on as it is: none, so that integers stay bit-identical.
  ///
  /// - Parameter fullScaleSPL: The level in dB SPL of an RMS of 1.0.
  public static func unchanged(fullScaleSPL: Double) -> OutputScaling {
    precondition(fullScaleSPL.isFinite, "full scale \(fullScaleSPL) dB SPL")
    return OutputScaling(attenuation: 0, fullScaleSPL: fullScaleSPL)
  }

  private init(attenuation: Double, fullScaleSPL: Double) {
    self.attenuation = attenuation
    self.fullScaleSPL = fullScaleSPL
  }

  /// The attenuation as a factor, 0…1.
  ///
  /// It is four parts in ten million smaller than the attenuation says, so that the rounding of
  /// `Float`, here and in the processor's ceiling, does not clip.
  public var gain: Float {
    attenuation == 0 ? 1 : Float(pow(10, -attenuation / 20) * (1 - 4e-7))
  }
}

extension OutputScaling: CustomStringConvertible {
  /// One line that tells the listener what was done.
  public var description: String {
    let level = String(format: "%.2f", fullScaleSPL)
    guard attenuation > 0 else { return "not attenuated: RMS 1.0 stands for \(level) dB SPL" }
    return "attenuated by \(String(format: "%.2f", attenuation)) dB against clipping: "
      + "RMS 1.0 stands for \(level) dB SPL"
  }
}
