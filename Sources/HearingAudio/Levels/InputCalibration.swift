/// The sound pressure level that the samples of an input represent.
///
///     let calibration = InputCalibration.activeLevelSPL(65)
///     let meter = try ActiveSpeechLevel.measure(reader)
///     try reader.seek(toFrame: 0)
///     let fullScaleSPL = calibration.fullScaleSPL(activeLevel: meter.reading?.activeLevel)
///
/// In a file, the level of the speech can be measured before rendering. In a live stream, this
/// measurement is not possible, because the later speech has not been received yet. For a live
/// stream, use ``fullScaleSPL(_:)`` or ``uncalibratedFullScaleSPL``.
public enum InputCalibration: Sendable, Equatable {
  /// The associated value is the level in dB SPL of a signal with an RMS of 1.0.
  case fullScaleSPL(Double)
  /// The associated value is the active speech level of the recording in dB SPL, according to ITU-T
  /// P.56.
  case activeLevelSPL(Double)

  /// The calibration for conversational speech. The active speech level is assumed to be 65 dB SPL.
  public static let conversation = InputCalibration.activeLevelSPL(65)

  /// The assumed level in dB SPL of a signal with an RMS of 1.0, if the real level is not known.
  public static let uncalibratedFullScaleSPL = 100.0

  /// The level in dB SPL of a signal with an RMS of 1.0.
  ///
  /// - Parameter activeLevel: The active speech level of the recording in dB relative to an RMS of
  ///   1.0, for example the `activeLevel` of ``ActiveSpeechLevel/reading``. Pass nil if the
  ///   recording contains no active speech, or if the level was not measured. If the calibration is
  ///   ``activeLevelSPL(_:)`` and `activeLevel` is nil, the result is ``uncalibratedFullScaleSPL``.
  public func fullScaleSPL(activeLevel: Double?) -> Double {
    switch self {
    case .fullScaleSPL(let level): level
    case .activeLevelSPL(let level):
      activeLevel.map { level - $0 } ?? Self.uncalibratedFullScaleSPL
    }
  }
}
