/// Defines which sound level a digital signal represents.
///
///     let calibration = Calibration(fullScaleSPL: 100)
///
/// Without a measurement of the output device, all levels are only nominal values. A calibration
/// shifts all levels by the same amount, and does not describe a frequency response.
public struct Calibration: Sendable, Equatable {
  /// The level in dB SPL of a signal with an RMS value of 1.0. The default is 100 dB SPL. A
  /// processor accepts 0…200 dB SPL.
  public var fullScaleSPL: Double

  /// Creates a calibration: a signal with an RMS value of 1.0 has a level of `fullScaleSPL` dB SPL.
  public init(fullScaleSPL: Double = 100) {
    self.fullScaleSPL = fullScaleSPL
  }

  /// The peak sample magnitude of a sine with a level of `level` dB SPL: √2 · 10^((level −
  /// fullScaleSPL) / 20).
  public func peakAmplitude(ofSineAt level: Double) -> Double {
    2.0.squareRoot() * CMath.amplitude(decibels: level - fullScaleSPL)
  }
}
