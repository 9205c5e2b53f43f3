public import HearingFitting

/// The estimate of a threshold.
public struct ThresholdEstimate: Sendable, Hashable {
  /// The ear.
  public let ear: Ear
  /// The frequency in Hz.
  public let frequency: Double
  /// The threshold in dB HL, or the maximum presented level if there was no response.
  public let threshold: Double
  /// The standard deviation of the threshold in dB.
  public let standardDeviation: Double
  /// The interval in dB HL that contains the threshold with a probability of 90 %.
  public let interval: ClosedRange<Double>
  /// Whether the listener heard no tone, not even at the level ``threshold``.
  public let isNoResponse: Bool
  /// Whether the other ear was masked while the tones that determine the threshold were presented.
  public let isMasked: Bool
  /// Whether the true threshold may be higher, because the other ear may have heard a tone without
  /// masking.
  public let needsMasking: Bool
  /// The number of tones that were presented at ``frequency``.
  public let toneCount: Int
}
