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
  /// always linked, loud sound in the channel with the higher gain would also attenuate the other
  /// channel. Therefore channels are linked only if their headroom is similar. The headroom is the
  /// ceiling minus the gain for loud sound.
  var isLinked = true

  /// The maximum difference between the headroom of two linked channels, in dB.
  private static let maximumDifference = 6.0
  /// The headroom of a channel depends on its gains. These gains are computed for an input level of
  /// 80 dB SPL in every band.
  private static let loudLevel = 80.0
}

extension ChannelLimits {
  /// Computes the limits of a channel from the settings. Never runs on the audio thread.
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

  /// The headroom in dB: the ceiling relative to full scale, minus the maximum gain of a band at an
  /// input level of ``loudLevel``.
  private static func headroom(_ settings: ProcessorSettings, _ channel: Int) -> Double {
    let gain = settings.targets(channel, at: loudLevel).max() ?? 0
    return 20 * CMath.commonLogarithm(Double(ceiling(settings, channel))) - gain
  }
}

extension Calibration {
  /// The magnitude up to which input samples are always valid. The magnitude is the maximum of two
  /// numbers: 16, and the peak of a sine at 140 dB SPL, the loudest plausible sound.
  ///
  /// An input sample is replaced by 0 if it exceeds both this magnitude and the output ceiling of
  /// the channel.
  package var maximumInput: Double { max(16, peakAmplitude(ofSineAt: 140)) }
}
