internal import Foundation

extension ActiveSpeechLevel {
  /// What method B finds in a recording.
  public struct Reading: Sendable, Equatable {
    /// The level while active, in dB relative to an RMS of 1.0.
    public let activeLevel: Double

    /// The level over the whole time, in dB relative to an RMS of 1.0.
    public let longTermLevel: Double

    /// The part of the time that is active, 0…1.
    public var activityFactor: Double {
      pow(10, (longTermLevel - activeLevel) / 10)
    }
  }
}
