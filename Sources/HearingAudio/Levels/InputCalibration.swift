/// The sound pressure level that the samples of an input represent.
///
///     let calibration = InputCalibration.activeLevelSPL(65)
///     let meter = try ActiveSpeechLevel.measure(reader)
///     try reader.seek(toFrame: 0)
///     let fullScaleSPL = calibration.fullScaleSPL(activeLevel: meter.reading?.activeLevel)
///
/// In a file, the level of the speech can be measured before rendering. In a live stream, the level
/// of the speech cannot be measured before rendering, because the rest of the stream is not known
/// yet. For a live stream, use ``fullScaleSPL(_:)`` or ``uncalibratedFullScaleSPL`` instead.
public enum InputCalibration: Sendable, Equatable {
  /// The associated value is the level in dB SPL of a signal with an RMS of 1.0.
  case fullScaleSPL(Double)
  /// The associated value is the active level in dB SPL of the speech in the recording, according
  /// to ITU-T P.56.
  case activeLevelSPL(Double)

  /// Conversational speech: the active level is 65 dB SPL.
  public static let conversation = InputCalibration.activeLevelSPL(65)

  /// If the real level is not known, a signal with an RMS of 1.0 is assumed to have 100 dB SPL.
  public static let uncalibratedFullScaleSPL = 100.0

  /// The level in dB SPL of a signal with an RMS of 1.0.
  ///
  /// - Parameter activeLevel: The active level of the recording in dB relative to an RMS of 1.0,
  ///   such as the `activeLevel` of ``ActiveSpeechLevel/reading``. Nil if there is no active speech
  ///   or no measurement. If the calibration is ``activeLevelSPL(_:)`` and `activeLevel` is nil,
  ///   the result is ``uncalibratedFullScaleSPL``.
  public func fullScaleSPL(activeLevel: Double?) -> Double {
    switch self {
    case .fullScaleSPL(let level): level
    case .activeLevelSPL(let level):
      activeLevel.map { level - $0 } ?? Self.uncalibratedFullScaleSPL
    }
  }
}
