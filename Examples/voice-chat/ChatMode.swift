import HearingVoice

/// A microphone mode. The raw value is its name on the command line.
enum ChatMode: String, CaseIterable {
  case linear
  case standard
  case voiceIsolation = "voice-isolation"
  case wideSpectrum = "wide-spectrum"
  case bypass

  var microphoneMode: MicrophoneMode {
    switch self {
    case .linear: .linear
    case .standard: .standard
    case .voiceIsolation: .voiceIsolation
    case .wideSpectrum: .wideSpectrum
    case .bypass: .bypass
    }
  }
}
