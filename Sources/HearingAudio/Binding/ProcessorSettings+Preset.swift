public import HearingDSP
public import HearingFitting

extension ProcessorSettings {
  /// Creates the settings of a processor from a preset.
  ///
  /// Each band gets the gain curve of the fine-tuned preset at the band's centre frequency. The
  /// first band also processes all lower frequencies. Therefore the maximum output of the first
  /// band is the minimum of the preset's maximum outputs at all frequencies up to the band's centre
  /// frequency. The output ceiling of each channel is the maximum output of the channel's ear. If
  /// no ear hears a channel, or if `preset` does not contain the channel's ear, the channel gets no
  /// gain and the default output ceiling.
  ///
  /// - Parameters:
  ///   - preset: The listener's preset. Nil means no gain.
  ///   - layout: The frequency bands of the processor.
  ///   - ears: For each channel of the processor, the ear that hears the channel. Nil if neither
  ///     ear hears the channel.
  ///   - intensity: The factor by which every gain in dB is multiplied, 0…1.
  ///   - isEnabled: Whether the signal is processed.
  ///   - channelLinking: How strongly the level-dependent gains of both ears follow the level of
  ///     the louder ear, 0…1. The default of 1 preserves the perceived direction of sounds.
  ///   - calibration: The sound pressure level in dB SPL that an RMS of 1.0 represents.
  /// - Throws: `BandCurve.Invalid` if a `BandGainProcessor` does not support a gain curve of the
  ///   preset.
  public init(
    preset: Preset?, layout: BandLayout, ears: [Ear?], intensity: Double = 1,
    isEnabled: Bool = true, channelLinking: Double = 1, calibration: Calibration = Calibration()
  ) throws(BandCurve.Invalid) {
    let preset = preset?.fineTuned
    var curves: [[BandCurve]] = []
    var ceilings: [Double] = []
    for ear in ears {
      let known = ear.flatMap { preset?[$0] }
      curves.append(try Self.curves(of: known, layout))
      ceilings.append(known?.maximumOutput ?? Self.defaultOutputCeiling)
    }
    self.init(
      curves: curves, outputCeilings: ceilings, intensity: intensity, isEnabled: isEnabled,
      channelLinking: channelLinking, calibration: calibration)
  }

  private static func curves(
    of preset: EarPreset?, _ layout: BandLayout
  ) throws(BandCurve.Invalid) -> [BandCurve] {
    guard let preset else { return layout.centers.map { _ in .gain(0) } }
    return try layout.centers.enumerated().map { band, center throws(BandCurve.Invalid) in
      let curve = preset.curve(at: center)
      let below = band > 0 ? [] : preset.frequencies.filter { $0 < center }
      return try BandCurve(
        points: curve.points.map { .init(level: $0.inputLevel, gain: $0.gain) },
        attackTime: curve.attackTime, releaseTime: curve.releaseTime,
        maximumOutput: curve.maximumOutput.map { maximum in
          below.reduce(maximum) { min($0, preset.largestOutput(at: $1, in: .freeField)) }
        })
    }
  }
}
