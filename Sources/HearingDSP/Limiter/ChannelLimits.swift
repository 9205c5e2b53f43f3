internal import HearingBuffers

/// The limits for the samples of one channel. All stages that read the input or write the output
/// use the limits of the channel.
struct ChannelLimits: BitwiseCopyable {
  /// The maximum magnitude of an output sample.
  var ceiling: Float = .greatestFiniteMagnitude
  /// The maximum magnitude of a valid input sample.
  var rejectionLevel: Float = 16
  /// Whether a linked limiter limits this channel together with the previous channel.
  ///
  /// The two ears of a listener can need very different gains. If the channels of both ears were
  /// always linked, loud sound in the poorer ear would also attenuate the better ear. Therefore
  /// channels are only linked if their headroom is similar.
  var isLinked = true

  /// The maximum difference in dB between the headroom of linked channels.
  private static let maximumDifference = 6.0
  /// The input level in dB SPL of every band when the gains of two channels are compared.
  private static let loudLevel = 80.0
}

extension ChannelLimits {
  /// Computes the limits of a channel on the control side.
  init(_ settings: ProcessorSettings, channel: Int) {
    ceiling = Self.ceiling(settings, channel)
    rejectionLevel = max(ceiling, Float(settings.calibration.maximumInput))
    isLinked =
      channel == 0
      || abs(Self.headroom(settings, channel) - Self.headroom(settings, channel - 1))
        <= Self.maximumDifference
  }

  private static func ceiling(_ settings: ProcessorSettings, _ channel: Int) -> Float {
    let peak = settings.calibration.peakAmplitude(ofSineAt: settings.outputCeilings[channel])
    let level = Float(peak).nextDown
    return settings.allowsOutputAboveFullScale ? level : min(level, 1)
  }

  /// The ceiling in dB relative to full scale, minus the maximum gain in dB for loud sound.
  private static func headroom(_ settings: ProcessorSettings, _ channel: Int) -> Double {
    let gain = settings.targets(channel, at: loudLevel).max() ?? 0
    return 20 * CMath.commonLogarithm(Double(ceiling(settings, channel))) - gain
  }
}

extension Calibration {
  /// Input samples up to this magnitude are always valid. The value is at least 16.
  ///
  /// The value is the peak of a sine at 140 dB SPL, the loudest plausible sound. A sample counts as
  /// silence if it exceeds both this magnitude and the ceiling of the processor.
  package var maximumInput: Double { max(16, peakAmplitude(ofSineAt: 140)) }
}
