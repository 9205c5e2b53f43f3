/// The settings of a processor: gain curves per channel and band, output ceilings, intensity.
///
///     var settings = ProcessorSettings(
///       gains: [[0, 9, 14, 20, 21, 21, 21, 23, 24, 24], [0, 5, 8, 10, 12, 14, 15, 18, 20, 20]])
///     settings.intensity = 0.8
///     try processor.apply(settings)
///
/// A processor copies the settings that are applied: changing the variable afterwards does not
/// change the processor. Settings are not a preset: they address bands by their position in the
/// layout, and contain nothing about the listener.
public struct ProcessorSettings: Sendable, Equatable {
  /// The insertion gain curves, `[channel][band]`. A processor accepts gains of −80…80 dB.
  public var curves: [[BandCurve]]

  /// The output ceiling per channel in dB SPL, 0…200: no sample exceeds the peak of a sine of that
  /// level. Unless ``allowsOutputAboveFullScale``, no sample exceeds ±1.0 either. For a maximum in
  /// each band, see ``BandCurve/maximumOutput``.
  public var outputCeilings: [Double]

  /// The fraction of every gain in dB that is applied: 0 (none) … 1 (all). Ceilings and the maximum
  /// outputs of curves are not scaled by it.
  public var intensity: Double

  /// Whether the sound is processed; otherwise it passes untouched.
  public var isEnabled: Bool

  /// Whether the output may contain samples beyond ±1.0, for a host that accepts them.
  ///
  /// By default every ceiling is lowered to digital full scale.
  public var allowsOutputAboveFullScale: Bool

  /// How far level-dependent gains follow the loudest channel: 0 (each channel follows its own
  /// level) … 1 (all channels follow the loudest; the default).
  ///
  /// The channels are the ears of one listener: with equal gains, a sound keeps its direction.
  /// Fixed gains do not depend on it.
  public var channelLinking: Double

  /// The level that a digital signal represents.
  public var calibration: Calibration

  /// The correction of the headphone, before the gains and independent of ``isEnabled``; nil for
  /// none.
  ///
  /// With a correction, the output of a disabled processor is the corrected sound, limited to the
  /// ceiling.
  public var headphone: HeadphoneCorrection?

  /// Settings with a ceiling for each channel.
  public init(
    curves: [[BandCurve]], outputCeilings: [Double],
    allowsOutputAboveFullScale: Bool = false, intensity: Double = 1, isEnabled: Bool = true,
    channelLinking: Double = 1, calibration: Calibration = Calibration()
  ) {
    self.curves = curves
    self.outputCeilings = outputCeilings
    self.allowsOutputAboveFullScale = allowsOutputAboveFullScale
    self.intensity = intensity
    self.isEnabled = isEnabled
    self.channelLinking = channelLinking
    self.calibration = calibration
  }

  /// Settings with one ceiling for all channels, by default the lower of 105 dB SPL and full scale.
  public init(
    curves: [[BandCurve]], outputCeiling: Double = defaultOutputCeiling,
    allowsOutputAboveFullScale: Bool = false, intensity: Double = 1,
    isEnabled: Bool = true, channelLinking: Double = 1, calibration: Calibration = Calibration()
  ) {
    self.init(
      curves: curves, outputCeilings: curves.map { _ in outputCeiling },
      allowsOutputAboveFullScale: allowsOutputAboveFullScale, intensity: intensity,
      isEnabled: isEnabled, channelLinking: channelLinking, calibration: calibration)
  }

  /// Settings with fixed gains in dB, `[channel][band]`, and one ceiling for all channels.
  public init(
    gains: [[Double]], outputCeiling: Double = defaultOutputCeiling,
    allowsOutputAboveFullScale: Bool = false, intensity: Double = 1,
    isEnabled: Bool = true, channelLinking: Double = 1, calibration: Calibration = Calibration()
  ) {
    self.init(
      curves: gains.map { $0.map(BandCurve.gain) }, outputCeiling: outputCeiling,
      allowsOutputAboveFullScale: allowsOutputAboveFullScale, intensity: intensity,
      isEnabled: isEnabled, channelLinking: channelLinking, calibration: calibration)
  }
}

extension ProcessorSettings {
  /// The default output ceiling in dB SPL: 105.
  public static let defaultOutputCeiling: Double = 105

  /// The gains in dB that a processor accepts.
  public static let supportedGains: ClosedRange<Double> = BandCurve.minimumGain...80

  /// The output ceilings in dB SPL that a processor accepts.
  public static let supportedCeilings: ClosedRange<Double> = 0...200

  /// The calibrations in dB SPL of RMS 1.0 that a processor accepts.
  public static let supportedFullScales: ClosedRange<Double> = 0...200
}
