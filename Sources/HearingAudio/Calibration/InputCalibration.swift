/// Which sound pressure the samples of an input stand for.
///
///     let calibration = InputCalibration.activeLevelSPL(65)
///     let meter = try ActiveSpeechLevel.measure(reader)
///     try reader.seek(toFrame: 0)
///     let fullScaleSPL = calibration.fullScaleSPL(of: meter.reading)
///
/// For files the level is found from the speech in them. A live stream is never estimated: what
/// is still to come is unknown. Give it ``fullScaleSPL(_:)`` or take ``uncalibratedFullScaleSPL``.
public enum InputCalibration: Sendable, Equatable {
  /// Known: a signal with an RMS of 1.0 has this level in dB SPL.
  case fullScaleSPL(Double)
  /// Chosen so that the active level of the recording, after ITU-T P.56, is this level in dB SPL.
  case activeLevelSPL(Double)

  /// Conversational speech: the active level stands for 65 dB SPL.
  public static let conversation = InputCalibration.activeLevelSPL(65)

  /// What an RMS of 1.0 stands for, in dB SPL, where nothing better is known: 100.
  public static let uncalibratedFullScaleSPL = 100.0

  /// The level in dB SPL of a signal with an RMS of 1.0.
  ///
  /// - Parameter reading: What was measured on the recording; `nil` if nothing in it is active,
  ///   or nothing was measured. Then an active level cannot be matched, and
  ///   ``uncalibratedFullScaleSPL`` holds.
  public func fullScaleSPL(of reading: ActiveSpeechLevel.Reading?) -> Double {
    switch self {
    case .fullScaleSPL(let level): level
    case .activeLevelSPL(let level):
      reading.map { level - $0.activeLevel } ?? Self.uncalibratedFullScaleSPL
    }
  }
}
