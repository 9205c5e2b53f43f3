internal import HearingBuffers

/// The limits for the samples of one channel. All stages that read the input or write the output
/// use these limits.
struct ChannelLimits: BitwiseCopyable {
  /// The maximum magnitude of an output sample.
  var ceiling: Float = .greatestFiniteMagnitude
  /// The maximum magnitude of a valid input sample.
  var rejectionLevel: Float = Self.minimumRejectionLevel

  /// The magnitude up to which input samples are always valid.
  private static let minimumRejectionLevel: Float = 16
  /// The level in dB SPL of the loudest plausible sine. A sample is invalid if its magnitude
  /// exceeds the maximum of three values: the peak of the loudest plausible sine, the ceiling, and
  /// `minimumRejectionLevel`.
  private static let loudestPlausible = 140.0
}

extension ChannelLimits {
  /// Computes the limits of a channel on the control side.
  init(_ settings: ProcessorSettings, channel: Int) {
    let calibration = settings.calibration
    let level = Float(
      calibration.peakAmplitude(ofSineAt: settings.outputCeilings[channel])
    ).nextDown
    ceiling = settings.allowsOutputAboveFullScale ? level : min(level, 1)
    let loudest = calibration.peakAmplitude(ofSineAt: Self.loudestPlausible)
    rejectionLevel = max(ceiling, Float(loudest), Self.minimumRejectionLevel)
  }
}
