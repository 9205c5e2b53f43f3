import HearingAudio

/// Which sound pressure the input's samples stand for, and how that is known.
struct Loudness {
  /// dB SPL of RMS 1.0.
  let fullScaleSPL: Double
  let origin: Origin

  enum Origin {
    /// The caller said so.
    case given
    /// The recording's active level was measured.
    case measured(ActiveSpeechLevel.Reading)
    /// No active level can be found in the recording: it is silent, or nearly.
    case nothingActive
    /// The input is a stream, which cannot be read twice.
    case unknownStream
  }
}
