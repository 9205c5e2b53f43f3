internal import HearingBuffers

/// One complete, computed set of settings in flat memory: a list of the stages' settings.
///
/// The control side writes it while it owns the slot. After that, it is only read.
struct SettingsSlot: ~Copyable {
  var generation: UInt64 = 0
  /// The generation that set the gains; later generations changed only ceilings,
  /// `allowsOutputAboveFullScale`, `isEnabled` and the headphone correction.
  var gainGeneration: UInt64 = 0
  var isEnabled = false
  var headphone = HeadphoneStage.Settings()
  var compressor: CompressorStage.Settings
  var equalizer: EqualizerStage.Settings
  let gain: BroadbandGainStage.Settings
  let meter: GainMeter.Settings
  /// `[channel]`.
  let limits: OwnedRow<ChannelLimits>

  /// Allocates memory for disabled settings with all gains at 0 dB.
  init(shape: ProcessorShape) {
    let bands = shape.channelCount * shape.bandCount
    compressor = CompressorStage.Settings(shape: shape)
    equalizer = EqualizerStage.Settings(shape: shape)
    gain = BroadbandGainStage.Settings(
      gains: .filled(BroadbandGainStage.Gain(), count: shape.channelCount))
    meter = GainMeter.Settings(gains: .filled(0, count: bands), reached: .filled(0, count: bands))
    limits = .filled(ChannelLimits(), count: shape.channelCount)
  }
}
