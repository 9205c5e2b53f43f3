import Foundation

/// A day of the Gregorian calendar, without a time or a zone.
///
///     CalendarDay("2025-03-14")   // the local day of the measurement
///
/// It is the day as the file states it: a measurement at 23:30 in California does not move to the
/// next day in UTC. Not for calculations with time.
public struct CalendarDay: Sendable, Hashable, LosslessStringConvertible {
  /// The day in ISO 8601: "2025-03-14".
  public let description: String

  /// A day in the form "2025-03-14", in the years 1 to 9999; nil for anything else and for days
  /// that do not exist.
  public init?(_ description: String) {
    guard description.utf8.count == 10, ISO8601Text.seconds(from: description) != nil else {
      return nil
    }
    self.description = description
  }

  /// The day at the start of a time such as "2025-03-14T09:26:53Z" or "2025-03-14 09:26:53 +0100";
  /// nil if there is none.
  init?(startOf time: String) {
    self.init(String(time.prefix(10)))
  }
}

extension CalendarDay: Comparable {
  /// Whether the first day is earlier.
  public static func < (first: CalendarDay, second: CalendarDay) -> Bool {
    first.description < second.description
  }
}

/// The time of a measurement, as a file states it.
struct MeasurementTime: Sendable, Equatable {
  /// The instant.
  let date: Date
  /// The day that the file states.
  let day: CalendarDay

  /// Parses ISO 8601 with a "T" or, as in Apple Health, a space before the time ("2025-03-14
  /// 09:26:53 +0100"), a day alone, and, as HL7 FHIR allows, a month or a year alone, which mean
  /// their first day.
  init?(_ text: String) {
    guard text.utf8.count <= 40 else { return nil }
    var iso = text
    switch text.utf8.count {
    case 4: iso += "-01-01"
    case 7: iso += "-01"
    default:
      if let space = iso.firstIndex(of: " ") { iso.replaceSubrange(space...space, with: "T") }
      iso.removeAll { $0 == " " }
    }
    guard let seconds = ISO8601Text.seconds(from: iso),
      HearingProfile.secondsWritable.contains(seconds), let day = CalendarDay(startOf: iso)
    else { return nil }
    date = Date(timeIntervalSince1970: seconds)
    self.day = day
  }
}
