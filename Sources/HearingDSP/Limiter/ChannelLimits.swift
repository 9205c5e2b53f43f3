internal import HearingBuffers

/// The limits of one channel's samples, for all stages that take sound in or let it out.
struct ChannelLimits: BitwiseCopyable {
  /// The greatest magnitude of an output sample.
  var ceiling: Float = .greatestFiniteMagnitude
  /// The greatest magnitude of a valid input sample.
  var rejectionLevel: Float = Self.leastRejectionLevel

  /// Samples up to this magnitude are always valid.
  private static var leastRejectionLevel: Float { 16 }
  /// In dB SPL; samples above this level (and above the ceiling) count as broken.
  private static let loudestPlausible = 140.0
}

extension ChannelLimits {
  /// The limits of a channel; control side.
  init(_ settings: ProcessorSettings, channel: Int) {
    let calibration = settings.calibration
    let level = Float(
      calibration.peakAmplitude(ofSineAt: settings.outputCeilings[channel])
    ).nextDown
    ceiling = settings.allowsOutputAboveFullScale ? level : min(level, 1)
    let loudest = calibration.peakAmplitude(ofSineAt: Self.loudestPlausible)
    rejectionLevel = max(ceiling, Float(loudest), Self.leastRejectionLevel)
  }
}
