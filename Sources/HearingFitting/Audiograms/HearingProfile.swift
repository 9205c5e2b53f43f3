public import Foundation

/// What is known of a listener's hearing: an audiogram for each ear, and when and how it was
/// measured.
///
///     let profile = HearingProfile(left: .n2, right: .s1)
///     let preset = try Fitting.techLevel(2).preset(for: profile)
///
/// Either ear may be missing. A missing ear is unknown: it is never taken for 0 dB HL and never
/// for the other ear. A profile says nothing about the listener but this; keep names and records
/// elsewhere.
public struct HearingProfile: Sendable, Equatable {
  /// The left ear; nil: unknown.
  public var left: Audiogram?
  /// The right ear; nil: unknown.
  public var right: Audiogram?
  /// When it was measured, to the millisecond; nil: unknown.
  public var measuredAt: Date? {
    didSet { measuredAt = measuredAt.map(Self.toMillisecond) }
  }
  /// How it was measured; nil: unknown.
  public var method: MeasurementMethod?
  /// How the package's own hearing test measured it; nil: measured otherwise.
  public var record: MeasurementRecord?

  /// A profile of whatever is known.
  ///
  /// The date is kept to the millisecond and within the years 1 to 9999, which ISO 8601 can write:
  /// one beyond is held at the nearest of them.
  public init(
    left: Audiogram? = nil, right: Audiogram? = nil, measuredAt: Date? = nil,
    method: MeasurementMethod? = nil, record: MeasurementRecord? = nil
  ) {
    self.left = left
    self.right = right
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

  /// Seconds since 1970 of the dates that ISO 8601 writes with four digits of year.
  static let secondsWritable: ClosedRange<Double> = -62_135_596_800...253_402_300_799.999

  private static func toMillisecond(_ date: Date) -> Date {
    let seconds = date.timeIntervalSince1970
    precondition(!seconds.isNaN, "measured at a date that is not a number")
    let rounded = (seconds.limited(to: secondsWritable) * 1000).rounded() / 1000
    return Date(timeIntervalSince1970: rounded)
  }
}
