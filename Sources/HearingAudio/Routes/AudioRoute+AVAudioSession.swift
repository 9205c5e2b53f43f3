#if canImport(AVFAudio) && !os(macOS)
  public import AVFAudio

  extension AudioRoute.Kind {
    /// The kind of device behind an output of the system's audio session.
    ///
    /// The system reports Made for iPhone hearing devices as Bluetooth Low Energy outputs
    /// (`AVAudioSession.Port.bluetoothLE` in Apple's documentation).
    public init(_ port: AVAudioSession.Port) {
      switch port {
      case .builtInSpeaker, .builtInReceiver: self = .speaker
      case .headphones, .lineOut, .usbAudio: self = .wired
      case .bluetoothA2DP, .bluetoothHFP: self = .bluetooth
      case .bluetoothLE: self = .hearingDevice
      case .airPlay: self = .airPlay
      case .carAudio: self = .car
      default: self = .other
      }
    }
  }
#endif
