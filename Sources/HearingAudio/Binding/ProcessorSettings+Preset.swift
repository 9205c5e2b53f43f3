public import HearingDSP
public import HearingFitting

extension ProcessorSettings {
  /// A preset as settings for a processor: the one way from the one to the other.
  ///
  /// Each band gets the preset's curve at its centre, each channel the maximum output of its ear. A
  /// channel without an ear, or whose ear the preset does not know, gets no gain and the default
  /// ceiling; so do all of them without a preset.
  ///
  /// - Parameters:
  ///   - preset: What the listener is to hear; nil: nothing personal.
  ///   - layout: The processor's bands.
  ///   - ears: For each of the processor's channels the ear that hears it; nil: nobody's.
  ///   - intensity: The share of every gain in dB that is applied, 0…1.
  ///   - isEnabled: Whether the sound is processed.
  ///   - channelLinking: How far level-dependent gains follow the louder ear, 0…1; by default the ears
  ///     are linked, so that a sound keeps its direction.
  ///   - calibration: Which level a digital signal stands for.
  /// - Throws: `BandCurve.Failure` if a curve is none that a processor knows.
  public init(
    preset: Preset?, layout: BandLayout, ears: [Ear?], intensity: Double = 1,
    isEnabled: Bool = true, channelLinking: Double = 1, calibration: Calibration = Calibration()
  ) throws(BandCurve.Failure) {
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
  ) throws(BandCurve.Failure) -> [BandCurve] {
    guard let preset else { return layout.centers.map { _ in .gain(0) } }
    var curves: [BandCurve] = []
    for center in layout.centers {
      let curve = preset.curve(at: center)
      curves.append(
        try BandCurve(
          points: curve.points.map { .init(level: $0.inputLevel, gain: $0.gain) },
          attackTime: curve.attackTime, releaseTime: curve.releaseTime,
          maximumOutput: curve.maximumOutput))
    }
    return curves
  }
}
