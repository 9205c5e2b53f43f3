/// The sound level that a digital signal represents.
///
///     let calibration = Calibration(fullScaleSPL: 100)
///
/// All levels are nominal until the output device has been measured. A calibration shifts all
/// levels by the same amount. It does not describe a frequency response.
public struct Calibration: Sendable, Equatable {
  /// The level in dB SPL of a signal whose RMS value is 1.0. The default is 100. A processor
  /// accepts 0…200.
  public var fullScaleSPL: Double

  /// A calibration in which a signal of RMS 1.0 represents `fullScaleSPL` dB SPL.
  public init(fullScaleSPL: Double = 100) {
    self.fullScaleSPL = fullScaleSPL
  }

  /// The peak sample magnitude of a sine of `level` dB SPL: √2 · 10^((level − fullScaleSPL) / 20).
  public func peakAmplitude(ofSineAt level: Double) -> Double {
    2.0.squareRoot() * CMath.amplitude(decibels: level - fullScaleSPL)
  }
}
