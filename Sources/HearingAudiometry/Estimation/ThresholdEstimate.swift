public import HearingFitting

/// The estimate of a threshold.
public struct ThresholdEstimate: Sendable, Hashable {
  /// The ear.
  public let ear: Ear
  /// The frequency in Hz.
  public let frequency: Double
  /// The threshold in dB HL. If ``isNoResponse`` is true, this value is the maximum level at the
  /// frequency in dB HL.
  public let threshold: Double
  /// The standard deviation of the threshold in dB.
  public let standardDeviation: Double
  /// The interval in dB HL that contains the threshold with a probability of 90 %.
  public let interval: ClosedRange<Double>
  /// True if there was no response at the maximum level. The listener's threshold is then probably
  /// higher than ``threshold``.
  public let isNoResponse: Bool
  /// Whether the other ear was masked during at least one of the tones that determine the
  /// threshold.
  public let isMasked: Bool
  /// Whether the true threshold may be higher, because the other ear was not masked and may have
  /// heard a tone.
  public let needsMasking: Bool
  /// The number of tones that were presented at ``frequency``.
  public let toneCount: Int
}
