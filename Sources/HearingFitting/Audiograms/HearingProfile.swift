#if !hasFeature(Embedded)
  public import Foundation
#endif

/// A listener's hearing: an audiogram for each ear, and when and how it was measured.
///
///     let profile = HearingProfile(left: .n2, right: .s1)
///     let preset = try Fitting.techLevel(2).preset(for: profile)
///
/// Either ear may be missing. A missing ear is unknown: it is never treated as 0 dB HL, and the
/// other ear is never used instead. A profile holds no personal data beyond this; store names and
/// records elsewhere.
public struct HearingProfile: Sendable, Equatable {
  /// The left ear; nil: unknown.
  public var left: Audiogram?
  /// The right ear; nil: unknown.
  public var right: Audiogram?
  /// Measured discomfort levels of the left ear, in dB HL by frequency in Hz; nil: none. A fitting
  /// uses them instead of the estimate (see ``DiscomfortLevel``).
  public var leftDiscomfort: Audiogram?
  /// Measured discomfort levels of the right ear; see ``leftDiscomfort``.
  public var rightDiscomfort: Audiogram?
  /// When it was measured, to the millisecond; nil: unknown.
  public var measuredAt: Date? {
    didSet { measuredAt = measuredAt.map(Self.toMillisecond) }
  }
  /// How it was measured; nil: unknown.
  public var method: MeasurementMethod?
  /// The record of this package's hearing test; nil: measured by other means.
  public var record: MeasurementRecord?

  /// A profile of the values that are known.
  ///
  /// The date is rounded to the millisecond and limited to the years 1 to 9999, which ISO 8601 can
  /// write.
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

  /// The audiogram of one ear; nil: unknown.
  public subscript(ear: Ear) -> Audiogram? {
    get {
      switch ear {
      case .left: left
      case .right: right
      }
    }
    set {
      switch ear {
      case .left: left = newValue
      case .right: right = newValue
      }
    }
  }

  /// The measured discomfort levels of one ear in dB HL; nil: none.
  public func discomfort(_ ear: Ear) -> Audiogram? {
    switch ear {
    case .left: leftDiscomfort
    case .right: rightDiscomfort
    }
  }

  /// The dates that ISO 8601 writes with a four-digit year, in seconds since 1970.
  static let secondsWritable: ClosedRange<Double> = -62_135_596_800...253_402_300_799.999

  private static func toMillisecond(_ date: Date) -> Date {
    let seconds = date.timeIntervalSince1970
    precondition(!seconds.isNaN, "the date of a measurement is not a number")
    let rounded = (seconds.limited(to: secondsWritable) * 1000).rounded() / 1000
    return Date(timeIntervalSince1970: rounded)
  }
}

/// How an audiogram was measured.
///
/// An open set: values that are not listed here are stored unchanged.
///
///     HearingProfile(left: .n2, method: .pureToneAudiometry)
public struct MeasurementMethod: RawRepresentable, Sendable, Hashable {
  /// The name in files, such as "pure-tone-audiometry".
  public let rawValue: String

  /// A method by its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Pure-tone audiometry by an audiologist or on calibrated equipment.
  public static let pureToneAudiometry = MeasurementMethod(rawValue: "pure-tone-audiometry")
  /// A test that listeners take themselves, on their own device and headphones.
  public static let selfTest = MeasurementMethod(rawValue: "self-test")
  /// Not a measurement: estimated from age and sex.
  public static let estimate = MeasurementMethod(rawValue: "estimate")
}
