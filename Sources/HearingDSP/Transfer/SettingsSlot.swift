internal import HearingBuffers

/// One complete set of computed settings for all stages of the signal path.
///
/// A thread that applies settings writes a slot, and a ``TripleBuffer`` passes the slot to the
/// audio thread. The audio thread only reads slots. A ``GainTable``, a ``CurveTable`` and a
/// ``HeadphoneStage/Design`` compute the contents of a slot.
struct SettingsSlot: ~Copyable {
  var generation: UInt64 = 0
  /// The generation number of the last settings that changed the gains. The first applied settings
  /// have the generation number 1, and the next settings have the generation number 2. A change of
  /// the ceilings, `allowsOutputAboveFullScale`, `isEnabled` or the headphone correction does not
  /// change `gainGeneration`.
  var gainGeneration: UInt64 = 0
  var isEnabled = false
  var headphone = HeadphoneStage.Settings()
  var compressor: CompressorStage.Settings
  /// The target gains and coefficients of the filter sections, `[channel][vector]`. A vector
  /// contains four sections.
  let sections: OwnedRow<SectionTargets>
  /// The broadband gains, `[channel]`.
  let broadband: OwnedRow<BroadbandGain>
  /// The channels in which every gain is 0 dB.
  var flatChannels = ChannelSet()
  /// The target gains in dB for meters, `[channel][band]`. The gains are already multiplied by the
  /// intensity. These gains are used only for channels with fixed gains.
  let bandGains: OwnedRow<Float>
  /// The gain in dB that the filter sections and the broadband stage together reach at each band
  /// centre, `[channel][band]`.
  let reachedGains: OwnedRow<Float>
  /// The limits of each channel. The limits are the maximum magnitude of an output sample and the
  /// maximum magnitude of a valid input sample.
  let limits: OwnedRow<ChannelLimits>

  /// Allocates the memory. Initially, processing is disabled, and all gains are 0 dB.
  init(shape: ProcessorShape) {
    let bands = shape.channelCount * shape.bandCount
    compressor = CompressorStage.Settings(shape: shape)
    sections = .filled(SectionTargets(), count: shape.channelCount * shape.vectorsPerChannel)
    broadband = .filled(BroadbandGain(), count: shape.channelCount)
    bandGains = .filled(0, count: bands)
    reachedGains = .filled(0, count: bands)
    limits = .filled(ChannelLimits(), count: shape.channelCount)
  }
}

/// A gain in two forms: an amplitude ratio, and the logarithm to base 2 of this ratio.
struct BroadbandGain: BitwiseCopyable {
  var amplitude: Float = 1
  var octaves: Float = 0
}
