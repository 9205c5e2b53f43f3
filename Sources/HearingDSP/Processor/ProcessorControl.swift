internal import HearingBuffers

/// Computes the values that the render side needs from settings before they are published.
struct ProcessorControl {
  /// How many settings have been published.
  var generation: UInt64 = 0

  /// The last generation that changed more than ceilings and `isEnabled`.
  private var gainGeneration: UInt64 = 0

  /// The last generation that changed the correction of the headphone.
  private var headphoneGeneration: UInt64 = 0

  private let spec: ProcessingSpec
  private let bandCount: Int
  private(set) var design: EqualizerDesign
  private var sectionGains: [SectionGains]
  private var gains: [[Double]]
  /// The part of each of `gains`, in dB, that the filters of the layout cannot reach.
  private var residuals: [[Double]]
  private var channels: [ChannelSettings]
  private var isEnabled = false
  private var isLevelDependent = false
  private var channelLinking: Float = 0
  private var fullScale: Float = 100
  private var curves: CurveTable
  /// The settings computed last.
  private var settings: ProcessorSettings?

  /// Starts disabled, with all gains at 0 dB.
  init(spec: ProcessingSpec, layout: BandLayout) {
    self.spec = spec
    bandCount = layout.centers.count
    design = EqualizerDesign(layout: layout, sampleRate: spec.sampleRate)
    sectionGains = Array(
      repeating: SectionGains(bandCount: bandCount), count: spec.channelCount)
    gains = Array(
      repeating: Array(repeating: 0, count: bandCount), count: spec.channelCount)
    residuals = gains
    channels = Array(repeating: ChannelSettings(), count: spec.channelCount)
    curves = CurveTable(bandCount: bandCount, sampleRate: spec.sampleRate)
  }

  /// Computes everything from `settings`, which must be valid.
  mutating func compute(_ settings: ProcessorSettings) {
    generation += 1
    if !hasGains(of: settings) { gainGeneration = generation }
    if settings.headphone != self.settings?.headphone { headphoneGeneration = generation }
    self.settings = settings
    isEnabled = settings.isEnabled
    channelLinking = Float(settings.channelLinking)
    fullScale = Float(settings.calibration.fullScaleSPL)
    isLevelDependent = false
    for channel in 0..<spec.channelCount {
      let targets = settings.curves[channel].map { curve in
        curve.gain(at: Self.typicalLevel, intensity: settings.intensity)
      }
      let dependsOnLevel =
        settings.curves[channel].contains { $0.fixedGain(intensity: settings.intensity) == nil }
      isLevelDependent = isLevelDependent || dependsOnLevel
      if targets != gains[channel] {
        gains[channel] = targets
        sectionGains[channel] = design.sectionGains(for: targets)
        residuals[channel] = design.residuals
      }
      let ceiling = settings.outputCeilings[channel]
      let level = Float(settings.calibration.peakAmplitude(ofSineAt: ceiling)).nextDown
      let peak = settings.allowsOutputAboveFullScale ? level : min(level, 1)
      let loudest = settings.calibration.peakAmplitude(ofSineAt: Self.loudestPlausible)
      channels[channel] = ChannelSettings(
        broadband: Float(CMath.amplitude(decibels: sectionGains[channel].broadband)),
        broadbandGain: Float(CMath.octaves(decibels: sectionGains[channel].broadband)),
        ceiling: peak,
        rejectionLevel: max(peak, Float(loudest), ChannelSettings.leastRejectionLevel),
        isFlat: !dependsOnLevel && targets.allSatisfy { $0 == 0 }, isLevelDependent: dependsOnLevel)
    }
    if isLevelDependent { curves.compute(settings) }
  }

  /// Whether `other` differs from the settings computed last only in ceilings and `isEnabled`.
  private func hasGains(of other: ProcessorSettings) -> Bool {
    guard var settings else { return false }
    settings.outputCeilings = other.outputCeilings
    settings.allowsOutputAboveFullScale = other.allowsOutputAboveFullScale
    settings.isEnabled = other.isEnabled
    settings.headphone = other.headphone
    return settings == other
  }

  /// Writes the computed values to a slot.
  func write(to slot: inout SettingsSlot) {
    slot.generation = generation
    slot.gainGeneration = gainGeneration
    slot.isEnabled = isEnabled
    slot.isLevelDependent = isLevelDependent
    slot.channelLinking = channelLinking
    slot.fullScale = fullScale
    if isLevelDependent { curves.write(to: &slot) }
    slot.headphone = HeadphoneTargets(
      settings?.headphone, generation: headphoneGeneration, sampleRate: spec.sampleRate,
      to: slot.headphoneSections.row)
    let vectors = SectionTargets.vectorCount(bandCount: bandCount)
    slot.flatChannels = ChannelSet()
    for channel in 0..<spec.channelCount {
      slot.channels[channel] = channels[channel]
      if channels[channel].isFlat { slot.flatChannels.insert(channel) }
      SectionTargets.write(
        sectionGains[channel], of: design.plan, to: slot.sections.from(channel * vectors))
      for band in 0..<bandCount {
        slot.gains[channel * bandCount + band] = Float(gains[channel][band])
        slot.reachedGains[channel * bandCount + band] = Float(
          gains[channel][band] - residuals[channel][band])
      }
    }
  }

  /// The gain in dB of a channel's filters at `frequency` Hz once they have settled to a level of
  /// `inputLevel` dB SPL in every band.
  mutating func response(at frequency: Double, channel: Int, inputLevel: Double) -> Double {
    guard channels[channel].isLevelDependent, let settings, inputLevel != Self.typicalLevel else {
      return design.response(of: sectionGains[channel], at: frequency)
    }
    let targets = settings.curves[channel].map {
      $0.gain(at: inputLevel, intensity: settings.intensity)
    }
    return design.response(of: design.sectionGains(for: targets), at: frequency)
  }

  /// The level in dB SPL at which gains that depend on level are shown.
  private static let typicalLevel = 65.0
  /// In dB SPL; samples above this level (and above the ceiling) count as broken.
  private static let loudestPlausible = 140.0
}
