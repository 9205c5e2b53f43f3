extension VoiceActivityDetector {
  /// Why a detector cannot be built.
  public enum Failure: Error, Sendable, Equatable {
    /// The sample rate in Hz is not within 8,000…48,000.
    case sampleRateOutOfRange(Double)
  }
}

extension VoiceActivityDetector.Failure: CustomStringConvertible {
  /// The failure in one line.
  public var description: String {
    switch self {
    case .sampleRateOutOfRange(let rate):
      "the sample rate must be 8000…48000 Hz, not \(rate)"
    }
  }
}
