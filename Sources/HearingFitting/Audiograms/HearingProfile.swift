#if !hasFeature(Embedded)
  public import Foundation
#endif

/// A listener's hearing: an audiogram for each ear, and the time and the method of the measurement.
///
///     let profile = HearingProfile(left: .n2, right: .s1)
///     let preset = try Fitting.techLevel(2).preset(for: profile)
///
/// If the audiogram of an ear is missing, the hearing of that ear is unknown. An ear without an
/// audiogram never counts as an ear with thresholds of 0 dB HL. The audiogram of one ear never
/// replaces a missing audiogram of the other ear. A profile does not contain names or patient
/// records. An app must store names and patient records elsewhere.
public struct HearingProfile: Sendable, Equatable {
  /// The audiogram of the left ear; nil if the hearing of the left ear is unknown.
  public var left: Audiogram?
  /// The audiogram of the right ear; nil if the hearing of the right ear is unknown.
  public var right: Audiogram?
  /// The measured discomfort levels of the left ear in dB HL, at frequencies in Hz; nil if not
  /// measured. A sound is uncomfortably loud at the discomfort level. A fitting uses measured
  /// discomfort levels instead of typical discomfort levels (see
  /// ``Audiogram/discomfortLevel(at:measured:)``).
  public var leftDiscomfort: Audiogram?
  /// The measured discomfort levels of the right ear in dB HL, at frequencies in Hz; nil if not
  /// measured.
  public var rightDiscomfort: Audiogram?
  /// The time of the measurement, rounded to the millisecond; nil if unknown.
  public var measuredAt: Date? { didSet { measuredAt = measuredAt.map(Self.toMillisecond) } }
  /// The method of the measurement; nil if unknown.
  public var method: MeasurementMethod?
  /// The record of this package's hearing test; nil if the profile does not come from this hearing
  /// test.
  public var record: MeasurementRecord?

  /// Creates a profile with the values that are known.
  ///
  /// The date is rounded to the millisecond, and limited to the years 1583 to 9999. In ISO 8601
  /// text, all other years require an agreement between the sender and the receiver.
  public init(
    left: Audiogram? = nil, right: Audiogram? = nil, measuredAt: Date? = nil,
    method: MeasurementMethod? = nil, record: MeasurementRecord? = nil,
    leftDiscomfort: Audiogram? = nil, rightDiscomfort: Audiogram? = nil
  ) {
    self.left = left
    self.right = right
    self.leftDiscomfort = leftDiscomfort
    self.rightDiscomfort = rightDiscomfort
    self.measuredAt = measuredAt.map(Self.toMillisecond)
    self.method = method
    self.record = record
  }

  /// The audiogram of one ear; nil if the hearing of the ear is unknown.
  public subscript(ear: Ear) -> Audiogram? {
    get { ear == .left ? left : right }
    set { if ear == .left { left = newValue } else { right = newValue } }
  }

  /// The measured discomfort levels of one ear in dB HL; nil if not measured.
  public func discomfort(_ ear: Ear) -> Audiogram? {
    ear == .left ? leftDiscomfort : rightDiscomfort
  }

  /// The permitted dates in seconds since 1970: the years 1583 to 9999. The year 1583 is the first
  /// full year of the Gregorian calendar.
  static let secondsWritable: ClosedRange<Double> = -12_212_553_600...253_402_300_799.999

  private static func toMillisecond(_ date: Date) -> Date {
    let seconds = date.timeIntervalSince1970
    precondition(!seconds.isNaN, "the date of a measurement is not a number")
    let rounded = (seconds.limited(to: secondsWritable) * 1000).rounded() / 1000
    return Date(timeIntervalSince1970: rounded)
  }
}

/// How an audiogram was measured.
///
/// An app may use a method that is not predefined. The name of such a method is stored unchanged.
///
///     HearingProfile(left: .n2, method: .pureToneAudiometry)
public struct MeasurementMethod: RawRepresentable, Sendable, Hashable, Codable {
  /// The name of the method in files, such as "pure-tone-audiometry".
  public let rawValue: String

  /// Creates a measurement method from its name in files.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Pure-tone audiometry, performed by an audiologist or on calibrated equipment.
  public static let pureToneAudiometry = MeasurementMethod(rawValue: "pure-tone-audiometry")
  /// A hearing test that listeners perform on their own, with their own device and headphones.
  public static let selfTest = MeasurementMethod(rawValue: "self-test")
  /// A simulated hearing test: a program gave the answers, and not a person.
  public static let simulation = MeasurementMethod(rawValue: "simulation")
  /// The thresholds were not measured, but estimated from age and sex.
  public static let estimate = MeasurementMethod(rawValue: "estimate")
}
