import Foundation

/// When something was measured, as a file writes it.
struct MeasurementTime: Sendable, Equatable {
  /// The instant.
  let date: Date
  /// The day that the file writes.
  let day: CalendarDay

  /// Reads ISO 8601, with a "T" or a space before the time ("2025-03-14 09:26:53 +0100", as Apple
  /// Health writes it), a day alone, and, as HL7 FHIR allows, a month or a year alone, which mean
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
