public import HearingFitting

/// The estimate of a threshold.
public struct ThresholdEstimate: Sendable, Hashable {
  /// The ear.
  public let ear: Ear
  /// The frequency in Hz.
  public let frequency: Double
  /// The threshold in dB HL; if there was no response, the maximum level presented.
  public let threshold: Double
  /// The standard deviation in dB.
  public let standardDeviation: Double
  /// The interval in dB HL that contains the threshold with a probability of 90 %.
  public let interval: ClosedRange<Double>
  /// Whether nothing was heard up to and including ``threshold``.
  public let isNoResponse: Bool
  /// Whether the other ear was masked during the tones that determine the threshold.
  public let isMasked: Bool
  /// Whether the other ear may have heard the tone and was not masked: the true threshold may be
  /// worse.
  public let needsMasking: Bool
  /// How many tones were presented at this frequency.
  public let toneCount: Int
}
