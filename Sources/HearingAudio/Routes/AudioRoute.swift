public import HearingDSP
public import HearingVoice

/// An audio output, such as a loudspeaker, headphones or a hearing device.
///
///     let route = AudioRoute(.wired, calibration: Calibration(fullScaleSPL: 112))
///
/// A route has a calibration, because the same samples produce different sound pressure levels on
/// different devices. A route does not describe the frequency response of a device. When the route
/// changes, a ``RouteFollower`` applies the new route to a session.
public struct AudioRoute: Sendable, Equatable {
  /// The kind of device.
  public var kind: Kind

  /// The device's name. The name may be empty.
  public var name: String

  /// The sound pressure level that an RMS of 1.0 represents on this route.
  public var calibration: Calibration

  /// The known properties of the echo from this output to the microphone. Voice calls use the echo
  /// path.
  public var echoPath: EchoPath

  /// Creates a route.
  ///
  /// - Parameters:
  ///   - kind: The kind of device.
  ///   - name: The device's name. The default is an empty name.
  ///   - calibration: The calibration, within `ProcessorSettings.supportedFullScales`. If
  ///     `calibration` is omitted, an RMS of 1.0 represents 100 dB SPL.
  ///   - echoPath: The echo path. The default is ``Kind/typicalEchoPath``.
  public init(
    _ kind: Kind, name: String = "", calibration: Calibration = Calibration(),
    echoPath: EchoPath? = nil
  ) {
    self.kind = kind
    self.name = name
    self.calibration = calibration
    self.echoPath = echoPath ?? kind.typicalEchoPath
  }

  /// The kind of an output device. An app may define further kinds.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    /// The name of the kind, in lower case and with hyphens between words.
    public let rawValue: String

    /// Creates the kind of device with this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The built-in loudspeaker of the phone, tablet or computer.
    public static let speaker = Self(rawValue: "speaker")
    /// Wired headphones or loudspeakers.
    public static let wired = Self(rawValue: "wired")
    /// Bluetooth headphones or loudspeakers.
    public static let bluetooth = Self(rawValue: "bluetooth")
    /// An AirPlay receiver.
    public static let airPlay = Self(rawValue: "airplay")
    /// A car's sound system.
    public static let car = Self(rawValue: "car")
    /// A hearing aid or a cochlear implant. Such a device processes the sound with the user's own
    /// fitting.
    public static let hearingDevice = Self(rawValue: "hearing-device")
    /// Any other kind of device.
    public static let other = Self(rawValue: "other")

    /// All predefined kinds of device.
    public static let known: [Kind] = [
      .speaker, .wired, .bluetooth, .airPlay, .car, .hearingDevice, .other,
    ]
  }
}

extension AudioRoute.Kind {
  /// The typical echo path of this kind of device. For Bluetooth devices, hearing devices and
  /// AirPlay, the echo path contains a delay, because these devices delay playback.
  ///
  /// Wired, Bluetooth and hearing devices are assumed to be headphones. Headphones cause little
  /// echo in the microphone. Therefore a call with headphones starts with linear echo cancellation,
  /// but without echo suppression. If `VoiceProcessor` measures an echo that is too strong for
  /// headphones, echo suppression is switched on. The typical values are not measurements of a
  /// device. During the call, `VoiceProcessor` estimates the actual delay and echo path.
  public var typicalEchoPath: EchoPath {
    switch self {
    case .wired: EchoPath(suppression: 0, raisesSuppression: true)
    case .bluetooth, .hearingDevice:
      EchoPath(delay: 0.18, tail: 0.128, suppression: 0, raisesSuppression: true)
    case .airPlay: EchoPath(delay: 0.5)
    default: EchoPath()
    }
  }
}

extension AudioRoute.Kind: CustomStringConvertible {
  /// The name of the kind of device.
  public var description: String { rawValue }
}
