public import HearingDSP

extension VoiceProcessor {
  /// Why a voice processor cannot be built.
  public enum Failure: Error, Sendable, Equatable {
    /// The sample rate in Hz is not within 8,000…48,000.
    case sampleRateOutOfRange(Double)
    /// The far voice has neither one channel nor two.
    case farChannelCountOutOfRange(Int)
    /// The echo's tail in seconds is not within ``EchoCanceller/supportedTails``.
    case echoTailOutOfRange(Double)
    /// The far voice's processor is built for another rate or number of channels.
    case farProcessorMismatch(expected: ProcessingSpec, actual: ProcessingSpec)
  }
}

extension VoiceProcessor.Failure: CustomStringConvertible {
  /// The failure in one line.
  public var description: String {
    switch self {
    case .sampleRateOutOfRange(let rate):
      "the sample rate must be 8000…48000 Hz, not \(rate)"
    case .farChannelCountOutOfRange(let count):
      "the far voice must have 1 or 2 channels, not \(count)"
    case .echoTailOutOfRange(let tail):
      "the echo's tail must be \(EchoCanceller.supportedTails.lowerBound)…"
        + "\(EchoCanceller.supportedTails.upperBound) s, not \(tail)"
    case .farProcessorMismatch(let expected, let actual):
      "the far voice's processor must be built for \(expected.sampleRate) Hz and "
        + "\(expected.channelCount) channels, not \(actual.sampleRate) Hz and "
        + "\(actual.channelCount)"
    }
  }
}
