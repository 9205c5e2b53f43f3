/// How an audiogram came about.
///
/// An open set: the ones here are known by name, others are kept as they are read.
///
///     HearingProfile(left: .n2, method: .pureToneAudiometry)
public struct MeasurementMethod: RawRepresentable, Sendable, Hashable, Codable {
  /// The name in files, such as "pure-tone-audiometry".
  public let rawValue: String

  /// A method by its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Measured by pure tones, by an audiologist or on calibrated equipment.
  public static let pureToneAudiometry = MeasurementMethod(rawValue: "pure-tone-audiometry")
  /// Measured by the listener with headphones and a device of their own.
  public static let selfTest = MeasurementMethod(rawValue: "self-test")
  /// Not measured: estimated from age and sex.
  public static let estimate = MeasurementMethod(rawValue: "estimate")
}
