public import HearingDSP

/// Where sound is heard: a loudspeaker, headphones, a hearing device.
///
///     let route = AudioRoute(.wired, calibration: Calibration(fullScaleSPL: 112))
///
/// A route carries its calibration, since the same digital signal is louder here than there. It says
/// nothing of a device's frequency response. A ``RouteFollower`` acts on changes.
public struct AudioRoute: Sendable, Equatable {
  /// What kind of device sounds.
  public var kind: Kind

  /// What the listener calls it; may be empty.
  public var name: String

  /// Which level a digital signal stands for there.
  public var calibration: Calibration

  /// A route.
  ///
  /// - Parameters:
  ///   - kind: What kind of device sounds.
  ///   - name: What the listener calls it; default: empty.
  ///   - calibration: Within `ProcessorSettings.supportedFullScales`; default: RMS 1.0 stands for
  ///     100 dB SPL.
  public init(_ kind: Kind, name: String = "", calibration: Calibration = Calibration()) {
    self.kind = kind
    self.name = name
    self.calibration = calibration
  }

  /// What kind of device sounds; an open set.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    /// The name, as programs write it: lower case, words joined by hyphens.
    public let rawValue: String

    /// The kind of this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A loudspeaker of the device itself.
    public static let speaker = Self(rawValue: "speaker")
    /// Headphones or loudspeakers on a cable.
    public static let wired = Self(rawValue: "wired")
    /// Headphones or loudspeakers over Bluetooth.
    public static let bluetooth = Self(rawValue: "bluetooth")
    /// A receiver in the network.
    public static let airPlay = Self(rawValue: "airplay")
    /// A car's sound system.
    public static let car = Self(rawValue: "car")
    /// A hearing aid or cochlear implant: it applies a fitting of its own.
    public static let hearingDevice = Self(rawValue: "hearing-device")
    /// Anything else.
    public static let other = Self(rawValue: "other")

    /// The kinds that are known here.
    public static let known: [Kind] = [
      .speaker, .wired, .bluetooth, .airPlay, .car, .hearingDevice, .other,
    ]
  }
}

extension AudioRoute.Kind: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}
