internal import HearingBuffers

/// Converts ``ProcessorSettings`` into the coefficients and tables that the audio thread needs.
/// Never runs on the audio thread.
struct ProcessorControl {
  /// The number of calls of ``compute(_:)``.
  private(set) var generation: UInt64 = 0

  /// The ``generation`` of the last settings that changed the gains. See
  /// ``SettingsSlot/gainGeneration``.
  private var gainGeneration: UInt64 = 0

  /// The settings of the last call of ``compute(_:)``. Nil before the first call.
  private var settings: ProcessorSettings?
  private var curves: CurveTable
  private var gains: GainTable
  private var headphone: HeadphoneStage.Design

  /// Prepares the coefficients and tables for a processor that is disabled and has all gains at 0
  /// dB.
  init(spec: ProcessingSpec, layout: BandLayout) {
    let shape = ProcessorShape(
      channelCount: spec.channelCount, bandCount: layout.centers.count)
    curves = CurveTable(sampleRate: spec.sampleRate)
    gains = GainTable(shape: shape, layout: layout, sampleRate: spec.sampleRate)
    headphone = HeadphoneStage.Design(sampleRate: spec.sampleRate)
  }

  var design: EqualizerDesign { gains.design }

  /// Computes gain curves, filter gains and the headphone correction from `settings`. The settings
  /// must be valid.
  mutating func compute(_ settings: ProcessorSettings) {
    generation += 1
    if !hasSameGains(as: settings) { gainGeneration = generation }
    self.settings = settings
    curves.compute(settings)
    gains.compute(settings)
    headphone.compute(settings)
  }

  /// Whether `other` has the same gains as the settings of the last call of ``compute(_:)``.
  /// Ceilings, `allowsOutputAboveFullScale`, `isEnabled` and the headphone correction are not
  /// compared.
  private func hasSameGains(as other: ProcessorSettings) -> Bool {
    guard var settings else { return false }
    settings.outputCeilings = other.outputCeilings
    settings.allowsOutputAboveFullScale = other.allowsOutputAboveFullScale
    settings.isEnabled = other.isEnabled
    settings.headphone = other.headphone
    return settings == other
  }

  /// Writes the computed coefficients and tables to a settings slot.
  func write(to slot: inout SettingsSlot) {
    guard let settings else { return gains.write(to: &slot) }
    slot.generation = generation
    slot.gainGeneration = gainGeneration
    slot.isEnabled = settings.isEnabled
    curves.write(to: &slot.compressor)
    gains.write(to: &slot, levelDependent: curves.channels)
    headphone.write(to: &slot.headphone)
    for channel in settings.curves.indices {
      slot.limits[channel] = ChannelLimits(settings, channel: channel)
    }
  }

  /// The gain in dB that a channel's filters reach at `frequency` Hz, for a steady level of
  /// `inputLevel` dB SPL in every band.
  mutating func response(at frequency: Double, channel: Int, inputLevel: Double) -> Double {
    guard curves.channels.contains(channel), let settings, inputLevel != GainTable.typicalLevel
    else { return gains.response(at: frequency, channel: channel) }
    return gains.response(at: frequency, targets: settings.targets(channel, at: inputLevel))
  }
}
