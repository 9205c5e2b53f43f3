import Foundation

/// A day of the Gregorian calendar, without a time or a time zone.
///
///     CalendarDay("2025-03-14")   // the local day of the measurement
///
/// The day is the local day of the measurement, as written in the file. For example, a measurement
/// in California on 14 March at 23:30 has the day 14 March. In UTC, the day of this measurement is
/// 15 March. Do not use a ``CalendarDay`` to calculate durations or points in time.
public struct CalendarDay: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// The day in ISO 8601: "2025-03-14".
  public let description: String

  /// Creates a day from text such as "2025-03-14", in the years 1583 to 9999. Returns nil for any
  /// other text, and for days that do not exist.
  public init?(_ description: String) {
    guard description.utf8.count == 10, ISO8601Text.seconds(from: description) != nil else {
      return nil
    }
    self.description = description
  }

  /// Whether the first day is earlier than the second day.
  public static func < (first: CalendarDay, second: CalendarDay) -> Bool {
    first.description < second.description
  }
}

/// The time of a measurement, read from a file.
struct MeasurementTime: Sendable, Equatable {
  /// The time of the measurement. For a day without a time, the time is the start of that day in
  /// UTC.
  let date: Date
  /// The local day of the measurement, as written in the file.
  let day: CalendarDay

  /// Parses a time in ISO 8601. Usually, a "T" separates the day and the time. In Apple Health, a
  /// space separates the day and the time ("2025-03-14 09:26:53 +0100"). The text may also contain
  /// only a day. In HL7 FHIR, a date without a day ("2025-03") or without a month ("2025") is
  /// valid. Such a date means the first day of the month or of the year.
  init?(_ text: String) {
    guard text.utf8.count <= 40 else { return nil }
    var iso = text
    switch text.utf8.count {
    case 4: iso += "-01-01"
    case 7: iso += "-01"
    default:
      iso = text.replacing(" ", with: "T", maxReplacements: 1).replacing(" ", with: "")
    }
    guard let seconds = ISO8601Text.seconds(from: iso),
      let day = CalendarDay(String(iso.prefix(10)))
    else { return nil }
    date = Date(timeIntervalSince1970: seconds)
    self.day = day
  }
}
