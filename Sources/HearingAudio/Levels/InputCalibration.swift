/// The sound pressure level that the samples of an input represent.
///
///     let calibration = InputCalibration.activeLevelSPL(65)
///     let meter = try ActiveSpeechLevel.measure(reader)
///     try reader.seek(toFrame: 0)
///     let fullScaleSPL = calibration.fullScaleSPL(activeLevel: meter.reading?.activeLevel)
///
/// In a file, the level of the speech can be measured before rendering. In a live stream, this is
/// impossible, because the remainder of the stream is not known yet. For a live stream, use
/// ``fullScaleSPL(_:)`` or ``uncalibratedFullScaleSPL`` instead.
public enum InputCalibration: Sendable, Equatable {
  /// A signal with an RMS of 1.0 has this level in dB SPL.
  case fullScaleSPL(Double)
  /// The speech in the recording has this active level in dB SPL, measured according to ITU-T P.56.
  case activeLevelSPL(Double)

  /// Conversational speech: the active level is 65 dB SPL.
  public static let conversation = InputCalibration.activeLevelSPL(65)

  /// The default level of a signal with an RMS of 1.0, if no better value is known: 100 dB SPL.
  public static let uncalibratedFullScaleSPL = 100.0

  /// The level in dB SPL of a signal with an RMS of 1.0.
  ///
  /// - Parameter activeLevel: The active level of the recording in dB relative to an RMS of 1.0,
  ///   such as the `activeLevel` of ``ActiveSpeechLevel/reading``. Nil if there is no active speech
  ///   or no measurement. For nil and ``activeLevelSPL(_:)``, the result is
  ///   ``uncalibratedFullScaleSPL``.
  public func fullScaleSPL(activeLevel: Double?) -> Double {
    switch self {
    case .fullScaleSPL(let level): level
    case .activeLevelSPL(let level):
      activeLevel.map { level - $0 } ?? Self.uncalibratedFullScaleSPL
    }
  }
}
