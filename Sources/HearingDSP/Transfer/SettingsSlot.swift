internal import HearingBuffers

/// One complete set of computed settings for all stages, in flat memory.
///
/// The control side writes a slot only while the control side owns the slot. The render side only
/// reads slots.
struct SettingsSlot: ~Copyable {
  var generation: UInt64 = 0
  /// The generation that last changed the gains. Later generations changed only ceilings,
  /// `allowsOutputAboveFullScale`, `isEnabled` and the headphone correction.
  var gainGeneration: UInt64 = 0
  var isEnabled = false
  var headphone = HeadphoneStage.Settings()
  var compressor: CompressorStage.Settings
  var equalizer: EqualizerStage.Settings
  let gain: BroadbandGainStage.Settings
  let meter: GainMeter.Settings
  /// The limits of each channel.
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
