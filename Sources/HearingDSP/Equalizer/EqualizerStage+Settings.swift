internal import HearingBuffers

extension EqualizerStage {
  /// The settings of the stage. A ``GainTable`` computes the values.
  struct Settings: ~Copyable {
    /// The targets of the sections, `[channel][vector]`.
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
  /// The settings of the stage. A ``GainTable`` computes the values.
  struct Settings: ~Copyable {
    /// The broadband gains, `[channel]`.
    let gains: OwnedRow<Gain>
  }

  /// A gain as an amplitude ratio, and as the logarithm to base 2 of this ratio.
  struct Gain: BitwiseCopyable {
    var amplitude: Float = 1
    var octaves: Float = 0
  }
}

extension GainMeter {
  /// The settings of the meter. A ``GainTable`` computes the values.
  struct Settings: ~Copyable {
    /// The target gains in dB, `[channel][band]`. The gains are already multiplied by the
    /// intensity. The meter uses them only for channels whose gains do not depend on the level.
    let gains: OwnedRow<Float>
    /// The gains in dB that all sections together reach at the band centres, `[channel][band]`.
    let reached: OwnedRow<Float>
  }
}
