public import HearingFitting

/// A threshold as far as it is known.
public struct ThresholdEstimate: Sendable, Hashable {
  /// The ear.
  public let ear: Ear
  /// The frequency in Hz.
  public let frequency: Double
  /// The threshold in dB HL; where there was no response, the largest level that was tried.
  public let threshold: Double
  /// The standard deviation in dB.
  public let standardDeviation: Double
  /// Where the threshold lies with a probability of 90 %, in dB HL.
  public let interval: ClosedRange<Double>
  /// Whether nothing was heard up to and including ``threshold``.
  public let isNoResponse: Bool
  /// Whether the other ear was masked for the tones that count.
  public let isMasked: Bool
  /// Whether the other ear may have heard the tone and was not masked: the true threshold may be
  /// worse.
  public let needsMasking: Bool
  /// How many tones were presented at this frequency.
  public let toneCount: Int
}
