/// The reason why a processor cannot be built, or why settings cannot be applied.
public enum BandGainProcessorError: Error, Sendable, Equatable {
  /// The sample rate in Hz is not within 8,000…192,000.
  case sampleRateOutOfRange(Double)
  /// The number of channels is not within 1…8.
  case channelCountOutOfRange(Int)
  /// The sample rate is too low for a band. The centre of a band must be below `limit` Hz.
  case centerNotCarried(band: Int, frequency: Double, limit: Double)
  /// The limiter's look-ahead in seconds is not within 0…0.01.
  case lookAheadOutOfRange(Double)
  /// The limiter's release time in seconds is not within 0.01…1.
  case releaseTimeOutOfRange(Double)
  /// The number of curve lists in the settings differs from the number of channels.
  case channelCountMismatch(expected: Int, actual: Int)
  /// In one channel, the number of curves differs from the number of bands.
  case bandCountMismatch(channel: Int, expected: Int, actual: Int)
  /// The number of ceilings in the settings differs from the number of channels.
  case ceilingCountMismatch(expected: Int, actual: Int)
  /// A gain in dB is not within −80…80.
  case gainOutOfRange(channel: Int, band: Int, gain: Double)
  /// An output ceiling in dB SPL is not within 0…200.
  case ceilingOutOfRange(channel: Int, level: Double)
  /// The intensity is not within 0…1.
  case intensityOutOfRange(Double)
  /// The channel linking is not within 0…1.
  case channelLinkingOutOfRange(Double)
  /// The level in dB SPL of a signal with RMS 1.0 is not within 0…200.
  case fullScaleOutOfRange(Double)
}

extension BandGainProcessorError: CustomStringConvertible {
  /// A description of the error in one line.
  public var description: String {
    switch self {
    case .sampleRateOutOfRange(let rate):
      "the sample rate must be 8000…192000 Hz, not \(rate)"
    case .channelCountOutOfRange(let count):
      "the number of channels must be 1…8, not \(count)"
    case .centerNotCarried(let band, let frequency, let limit):
      "band \(band): centre \(frequency) Hz is not below \(limit) Hz, the limit of the sample rate"
    case .lookAheadOutOfRange(let seconds):
      "the look-ahead must be 0…0.01 s, not \(seconds)"
    case .releaseTimeOutOfRange(let seconds):
      "the limiter's release time must be 0.01…1 s, not \(seconds)"
    case .channelCountMismatch(let expected, let actual):
      "curves for \(actual) channels, but the processor has \(expected)"
    case .bandCountMismatch(let channel, let expected, let actual):
      "channel \(channel): curves for \(actual) bands, but the layout has \(expected)"
    case .ceilingCountMismatch(let expected, let actual):
      "output ceilings for \(actual) channels, but the processor has \(expected)"
    case .gainOutOfRange(let channel, let band, let gain):
      "channel \(channel), band \(band): a gain must be −80…80 dB, not \(gain)"
    case .ceilingOutOfRange(let channel, let level):
      "channel \(channel): an output ceiling must be 0…200 dB SPL, not \(level)"
    case .intensityOutOfRange(let intensity):
      "the intensity must be 0…1, not \(intensity)"
    case .channelLinkingOutOfRange(let linking):
      "the channel linking must be 0…1, not \(linking)"
    case .fullScaleOutOfRange(let level):
      "the calibration must be 0…200 dB SPL, not \(level)"
    }
  }
}

extension ClosedRange {
  /// Throws an error if the range does not contain `value`. The closure `failure` creates the error
  /// from `value`.
  package func check<Failure: Error>(
    _ value: Bound, _ failure: (Bound) -> Failure
  ) throws(Failure) {
    guard contains(value) else { throw failure(value) }
  }
}
