public import HearingFitting

/// The estimate of the hearing threshold of one ear at one frequency.
public struct ThresholdEstimate: Sendable, Hashable {
  /// The ear whose threshold is estimated.
  public let ear: Ear
  /// The frequency of the threshold in Hz.
  public let frequency: Double
  /// The threshold in dB HL. If ``isNoResponse`` is true, this property is the maximum level of a
  /// tone at ``frequency``.
  public let threshold: Double
  /// The standard deviation of the threshold in dB.
  public let standardDeviation: Double
  /// The interval in dB HL that contains the threshold with a probability of 90 %.
  public let interval: ClosedRange<Double>
  /// True if the listener did not respond to a tone at the maximum level. If this property is true,
  /// the true threshold is probably higher than ``threshold``.
  public let isNoResponse: Bool
  /// Whether the other ear was masked during at least one of the tones that determine the
  /// threshold.
  public let isMasked: Bool
  /// True if the other ear was not masked and may have heard a tone. If this property is true, the
  /// true threshold of the tested ear may be higher than ``threshold``.
  public let needsMasking: Bool
  /// The number of tones that were presented to ``ear`` at ``frequency``.
  public let toneCount: Int
}
