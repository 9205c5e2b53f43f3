internal import HearingBuffers

extension EqualizerStage {
  /// The stage's part of the settings; a ``GainTable`` computes it.
  struct Settings: ~Copyable {
    /// Targets of the sections, `[channel][vector]`.
    let sections: OwnedRow<SectionTargets>
    /// The channels whose gains are all 0 dB.
    var flatChannels = ChannelSet()

    init(shape: ProcessorShape) {
      sections = .filled(
        SectionTargets(), count: shape.channelCount * shape.vectorsPerChannel)
    }
  }
}

extension BroadbandGainStage {
  /// The stage's part of the settings; a ``GainTable`` computes it.
  struct Settings: ~Copyable {
    /// `[channel]`.
    let gains: OwnedRow<Gain>
  }

  /// A gain as an amplitude ratio and as its logarithm to base 2.
  struct Gain: BitwiseCopyable {
    var amplitude: Float = 1
    var octaves: Float = 0
  }
}

extension GainMeter {
  /// The meter's part of the settings; a ``GainTable`` computes it.
  struct Settings: ~Copyable {
    /// Gains in dB of channels without level dependence, `[channel][band]`, intensity included.
    let gains: OwnedRow<Float>
    /// The gains in dB that the sections of those channels together reach, `[channel][band]`.
    let reached: OwnedRow<Float>
  }
}
