extension OtherAudioDucker {
  /// Why a ducker cannot be built.
  public enum Failure: Error, Sendable, Equatable {
    /// The sample rate in Hz is not within 8,000…192,000.
    case sampleRateOutOfRange(Double)
    /// The number of channels is not within 1…8.
    case channelCountOutOfRange(Int)
  }
}

extension OtherAudioDucker.Failure: CustomStringConvertible {
  /// The failure in one line.
  public var description: String {
    switch self {
    case .sampleRateOutOfRange(let rate):
      "the sample rate must be 8000…192000 Hz, not \(rate)"
    case .channelCountOutOfRange(let count):
      "the number of channels must be 1…8, not \(count)"
    }
  }
}
