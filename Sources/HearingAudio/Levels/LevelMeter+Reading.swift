internal import Foundation

extension LevelMeter {
  /// What was measured on one channel.
  public struct Reading: Sendable, Equatable {
    /// The root of the mean square, at least 0.
    public let rms: Double

    /// The largest magnitude, at least 0.
    public let peak: Double

    /// ``rms`` in dB relative to 1.0; −∞ for silence.
    public var rmsDecibels: Double { 20 * log10(rms) }

    /// ``peak`` in dB relative to 1.0; −∞ for silence.
    public var peakDecibels: Double { 20 * log10(peak) }
  }
}
