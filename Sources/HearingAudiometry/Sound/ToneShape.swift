/// The shape of a test tone over time: pulses, ramps and warble.
///
/// The rise and the fall of a pulse are raised cosines of 50 ms. The amplitude of a pulse rises
/// from −20 to −1 dB within 29 ms (IEC 60645-1:2017 requires 20 to 50 ms). A pulsed tone is on for
/// 225 ms and off for 225 ms, measured between the −5 dB points (IEC 60645-1 requires 225 ± 35 ms).
/// The plateau of each pulse lasts 179 ms (IEC 60645-1 requires at least 150 ms).
public struct ToneShape: Sendable, Hashable, Codable {
  /// The number of pulses. A steady tone has one pulse.
  public let pulseCount: Int
  /// The time from the first to the last non-zero sample of a pulse, in seconds.
  public let pulseDuration: Double
  /// The maximum deviation of the frequency of a warbled tone, as a fraction of the centre
  /// frequency. For tones that are not warbled, the deviation is 0.
  public let deviation: Double

  private init(pulseCount: Int, pulseDuration: Double, deviation: Double = 0) {
    self.pulseCount = pulseCount
    self.pulseDuration = pulseDuration
    self.deviation = deviation
  }

  /// Three pulses within 1.18 s. A listener with tinnitus recognises pulses more easily than a
  /// steady tone.
  public static let pulsed = ToneShape(pulseCount: 3, pulseDuration: 0.279)

  /// One tone of 1.25 s. ISO 8253-1 requires a duration of 1 to 2 s.
  public static let steady = ToneShape(pulseCount: 1, pulseDuration: 1.25)

  /// One tone of 1.25 s whose frequency varies by ±5 %, five times a second. Tinnitus sounds
  /// different from a warbled tone.
  ///
  /// For a warbled tone, audiometers vary the frequency by up to ±10 %, two to ten times a second
  /// (Staab & Rintelmann 1972).
  public static let warbled = ToneShape(pulseCount: 1, pulseDuration: 1.25, deviation: 0.05)

  /// The modulation rate of a warbled tone in Hz: the number of modulation cycles per second.
  public static let warbleRate = 5.0
  /// The duration in seconds of the rise from silence to full amplitude, and of the fall to
  /// silence.
  public static let rampDuration = 0.05
  /// The time in seconds from the start of one pulse to the start of the next pulse.
  public static let pulsePeriod = 0.45

  /// The duration of the whole tone in seconds.
  public var duration: Double { Double(pulseCount - 1) * Self.pulsePeriod + pulseDuration }

  #if !hasFeature(Embedded)
    /// Reads one of the predefined shapes by its name.
    ///
    /// - Throws: `DecodingError` if the name is unknown.
    public init(from decoder: any Decoder) throws {
      let name = try decoder.singleValueContainer().decode(String.self)
      switch name {
      case "pulsed": self = .pulsed
      case "steady": self = .steady
      case "warbled": self = .warbled
      default:
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath,
            debugDescription: "a tone is \"pulsed\", \"steady\" or \"warbled\""))
      }
    }

    /// Writes the name of the shape.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(
        self == .warbled ? "warbled" : self == .steady ? "steady" : "pulsed")
    }
  #endif
}
