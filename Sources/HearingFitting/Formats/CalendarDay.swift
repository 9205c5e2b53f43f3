/// A day of the Gregorian calendar, without a time or a zone.
///
///     CalendarDay("2025-03-14")   // the day as the place of the measurement wrote it
///
/// A measurement at 23:30 in California belongs to the day that its file writes, not to the next
/// one in UTC. This type is not for computing with time.
public struct CalendarDay: Sendable, Hashable, LosslessStringConvertible {
  /// The day as ISO 8601 writes it: "2025-03-14".
  public let description: String

  /// A day written as "2025-03-14", in the years 1 to 9999; nil for anything else and for days
  /// that no calendar has.
  public init?(_ description: String) {
    guard description.utf8.count == 10, ISO8601Text.seconds(from: description) != nil else {
      return nil
    }
    self.description = description
  }

  /// The day with which a time such as "2025-03-14T09:26:53Z" or "2025-03-14 09:26:53 +0100"
  /// begins; nil where it does not.
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
