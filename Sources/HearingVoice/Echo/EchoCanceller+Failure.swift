extension EchoCanceller {
  /// Why a canceller cannot be built.
  public enum Failure: Error, Sendable, Equatable {
    /// The sample rate in Hz is not within 8,000…48,000.
    case sampleRateOutOfRange(Double)
    /// The tail in seconds is not within 0.064…0.5.
    case tailOutOfRange(Double)
  }
}

extension EchoCanceller.Failure: CustomStringConvertible {
  /// The failure in one line.
  public var description: String {
    switch self {
    case .sampleRateOutOfRange(let rate): "the sample rate must be 8000…48000 Hz, not \(rate)"
    case .tailOutOfRange(let tail): "the tail must be 0.064…0.5 s, not \(tail)"
    }
  }
}
