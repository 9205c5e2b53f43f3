public import HearingDSP

/// The reason why an initializer of `HearingVoice` fails.
///
/// Every throwing initializer of `HearingVoice` throws this type. The documentation of each
/// initializer lists the allowed arguments.
public enum VoiceFailure: Error, Sendable, Equatable {
  /// The sample rate in Hz is outside the supported range.
  case sampleRateOutOfRange(Double, supported: ClosedRange<Double>)
  /// The number of channels is outside the supported range.
  case channelCountOutOfRange(Int, supported: ClosedRange<Int>)
  /// The echo tail in seconds is outside ``EchoCanceller/supportedTails``.
  case tailOutOfRange(Double)
  /// The `deviceDelay` in seconds is outside 0…0.5.
  case delayOutOfRange(Double)
  /// The `farProcessor` does not have the sample rate of the call, or does not have two channels.
  case farProcessorMismatch(expected: ProcessingSpec, actual: ProcessingSpec)
}

extension VoiceFailure {
  /// The sample rates in Hz that a call supports.
  static let callRates = 8_000.0...96_000.0

  /// The echo tails in seconds that an echo canceller supports.
  static let tails = 0.064...0.5

  /// Throws an error if `sampleRate` is not in `supported`.
  static func check(
    sampleRate: Double, supported: ClosedRange<Double> = callRates
  ) throws(VoiceFailure) {
    try supported.check(sampleRate) { Self.sampleRateOutOfRange($0, supported: supported) }
  }

  /// Throws an error if `channelCount` is not in `supported`.
  static func check(channelCount: Int, supported: ClosedRange<Int>) throws(VoiceFailure) {
    try supported.check(channelCount) { Self.channelCountOutOfRange($0, supported: supported) }
  }
}

extension VoiceFailure: CustomStringConvertible {
  /// A description of the failure in one line.
  public var description: String {
    switch self {
    case .sampleRateOutOfRange(let rate, let supported):
      "the sample rate must be \(Int(supported.lowerBound))…\(Int(supported.upperBound)) Hz, "
        + "not \(rate)"
    case .channelCountOutOfRange(let count, let supported):
      "the number of channels must be \(supported.lowerBound)…\(supported.upperBound), not \(count)"
    case .tailOutOfRange(let tail):
      "the echo's tail must be \(Self.tails.lowerBound)…\(Self.tails.upperBound) s, not \(tail)"
    case .delayOutOfRange(let delay):
      "the delay of the devices must be 0…0.5 s, not \(delay)"
    case .farProcessorMismatch(let expected, let actual):
      "the far voice's processor must be built for \(expected.sampleRate) Hz and "
        + "\(expected.channelCount) channels, not \(actual.sampleRate) Hz and "
        + "\(actual.channelCount) channels"
    }
  }
}
