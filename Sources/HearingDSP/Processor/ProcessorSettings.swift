/// The settings of a processor: gain curves for each channel and band, output ceilings and
/// intensity.
///
///     var settings = ProcessorSettings(
///       gains: [[0, 9, 14, 20, 21, 21, 21, 23, 24, 24], [0, 5, 8, 10, 12, 14, 15, 18, 20, 20]])
///     settings.intensity = 0.8
///     try processor.apply(settings)
///
/// A processor copies the applied settings. Therefore later changes of the variable do not affect
/// the processor. Settings contain no band frequencies and no data about the listener. A band is
/// identified only by its index in the processor's ``BandLayout``.
public struct ProcessorSettings: Sendable, Equatable {
  /// The insertion-gain curves, `[channel][band]`. A processor accepts gains of −80…80 dB.
  public var curves: [[BandCurve]]

  /// The output ceiling of each channel in dB SPL, 0…200. No output sample exceeds the peak of a
  /// sine at the level of the ceiling. By default, output samples are also limited to ±1.0 (see
  /// ``allowsOutputAboveFullScale``). To set a maximum for each band, use
  /// ``BandCurve/maximumOutput``.
  public var outputCeilings: [Double]

  /// The factor by which every gain in dB is multiplied, from 0 (no gain) to 1 (full gain). The
  /// intensity does not scale ceilings or the maximum outputs of curves.
  public var intensity: Double

  /// Whether the signal is processed. If `isEnabled` is false, only the headphone correction
  /// changes the signal.
  public var isEnabled: Bool

  /// Whether the output may contain samples beyond ±1.0. Set this property only for a host that
  /// accepts samples beyond ±1.0.
  ///
  /// By default, every ceiling is limited to digital full scale.
  public var allowsOutputAboveFullScale: Bool

  /// How strongly the level-dependent gains of the channels are linked, 0…1. If the channel linking
  /// is 0, the gains of each channel follow the level of that channel. If the channel linking is 1
  /// (the default), the gains of all channels follow the level of the loudest channel. A channel
  /// with fixed gains never counts as the loudest channel.
  ///
  /// The channels belong to the ears of one listener. Equal gains in both ears preserve the
  /// perceived direction of a sound. Linking does not affect fixed gains.
  public var channelLinking: Double

  /// Defines the level in dB SPL that a digital signal represents.
  public var calibration: Calibration

  /// The correction of the headphone response, which is applied before the gains. Nil means no
  /// correction.
  ///
  /// The headphone correction is applied even if ``isEnabled`` is false. With a correction, the
  /// output of a disabled processor is the corrected signal, limited to the ceiling. In a disabled
  /// processor, the limiter applies the same gain reduction to all channels.
  public var headphone: HeadphoneCorrection?

  /// Creates settings with a ceiling for each channel.
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

  /// Creates settings with one ceiling for all channels. By default, the ceiling is the lower of
  /// 105 dB SPL and digital full scale.
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

  /// Creates settings with fixed gains in dB, `[channel][band]`, and one ceiling for all channels.
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

  /// The range of gains in dB that a processor accepts.
  public static let supportedGains: ClosedRange<Double> = BandCurve.minimumGain...80

  /// The range of output ceilings in dB SPL that a processor accepts.
  public static let supportedCeilings: ClosedRange<Double> = 0...200

  /// The range of ``Calibration/fullScaleSPL`` in dB SPL that a processor accepts.
  public static let supportedFullScales: ClosedRange<Double> = 0...200
}
