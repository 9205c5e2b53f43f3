internal import HearingBuffers

/// Computes gains for ``EqualizerStage``, ``BroadbandGainStage`` and ``GainMeter``, but never on
/// the audio thread. A ``SettingsSlot`` contains the computed gains.
struct GainTable {
  private(set) var design: EqualizerDesign
  private let shape: ProcessorShape
  private var channels: [Channel]

  /// The gains of one channel in dB.
  private struct Channel {
    /// The target gain of each band, multiplied by the intensity.
    var targets: [Double]
    /// The target gain of each band minus the gain that the filters reach.
    var residuals: [Double]
    var sections: SectionGains
  }

  init(shape: ProcessorShape, layout: BandLayout, sampleRate: Double) {
    self.shape = shape
    design = EqualizerDesign(layout: layout, sampleRate: sampleRate)
    let zeros = [Double](repeating: 0, count: shape.bandCount)
    let channel = Channel(
      targets: zeros, residuals: zeros, sections: SectionGains(bandCount: shape.bandCount))
    channels = Array(repeating: channel, count: shape.channelCount)
  }

  /// Computes the section gains of every channel in which a target gain has changed.
  mutating func compute(_ settings: ProcessorSettings) {
    for channel in channels.indices {
      let targets = settings.targets(channel, at: Self.typicalLevel)
      guard targets != channels[channel].targets else { continue }
      let sections = design.sectionGains(for: targets)
      channels[channel] = Channel(
        targets: targets, residuals: design.residuals, sections: sections)
    }
  }

  /// Writes the computed gains and coefficients to `slot`.
  ///
  /// - Parameter levelDependent: the channels with gains that depend on the level.
  func write(to slot: inout SettingsSlot, levelDependent: ChannelSet = ChannelSet()) {
    slot.flatChannels = ChannelSet()
    for (channel, gains) in channels.enumerated() {
      if !levelDependent.contains(channel) && gains.targets.allSatisfy({ $0 == 0 }) {
        slot.flatChannels.insert(channel)
      }
      SectionTargets.write(
        gains.sections, of: design.plan,
        to: slot.sections.from(channel * shape.vectorsPerChannel))
      slot.broadband[channel] = BroadbandGain(
        amplitude: Float(CMath.amplitude(decibels: gains.sections.broadband)),
        octaves: Float(CMath.octaves(decibels: gains.sections.broadband)))
      for (band, target) in gains.targets.enumerated() {
        let index = channel * shape.bandCount + band
        slot.bandGains[index] = Float(target)
        slot.reachedGains[index] = Float(target - gains.residuals[band])
      }
    }
  }

  /// The gain in dB of a channel's filters at `frequency` Hz, with the last computed section gains.
  func response(at frequency: Double, channel: Int) -> Double {
    design.response(of: channels[channel].sections, at: frequency)
  }

  /// The gain in dB at `frequency` Hz, for filters that are designed for `targets`. The parameter
  /// `targets` contains the target gains in dB, `[band]`.
  mutating func response(at frequency: Double, targets: [Double]) -> Double {
    design.response(of: design.sectionGains(for: targets), at: frequency)
  }

  /// A typical input level in dB SPL. Level-dependent gains are evaluated at this level if no
  /// measured level is available.
  static let typicalLevel = 65.0
}

extension ProcessorSettings {
  /// The gains in dB of a channel if the level in every band is `level` dB SPL.
  func targets(_ channel: Int, at level: Double) -> [Double] {
    curves[channel].map { $0.gain(at: level, intensity: intensity) }
  }
}
