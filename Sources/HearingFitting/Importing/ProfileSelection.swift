import Foundation

/// Selects one of the audiograms in a file.
///
///     guard let day = CalendarDay("2025-03-14") else { return }
///     let profile = try HearingProfile(contentsOf: url, selecting: .day(day))
public enum ProfileSelection: Sendable, Equatable {
  /// The latest measurement. A measurement without a date counts as older than all measurements
  /// with a date. If several measurements have the same time, the last measurement in the file is
  /// used.
  case newest
  /// The latest measurement of one day. The day is the local day of the measurement, as written in
  /// the file.
  case day(CalendarDay)
  /// The measurement at an index of the list ``HearingProfile/all(contentsOf:)``, counted from 0.
  case index(Int)

  /// The selected measurement. If the file contains several different measurements of the selected
  /// day, a note is added to the result. The selection ``index(_:)`` never adds a note.
  ///
  /// - Parameter measurements: The measurements of a file, such as
  ///   ``HearingProfile/all(contentsOf:)``.
  /// - Throws: ``UnreadableDocument`` if no measurement matches the selection.
  public func measurement(
    of measurements: [ImportedProfile]
  ) throws(UnreadableDocument) -> ImportedProfile {
    switch self {
    case .newest:
      if let newest = Self.newest(of: measurements) { return newest }
      throw .noAudiogram(reason: "the document contains no audiogram")
    case .day(let day):
      if let newest = Self.newest(of: measurements.filter { $0.day == day }) { return newest }
      throw .notThere(reason: "no audiogram of \(day); the file has \(Self.days(of: measurements))")
    case .index(let index):
      if measurements.indices.contains(index) { return measurements[index] }
      throw .notThere(
        reason: "no audiogram with index \(index); the file has \(measurements.count), "
          + "with indices from 0")
    }
  }

  private static func newest(of measurements: [ImportedProfile]) -> ImportedProfile? {
    // `newest` is the last measurement with the latest date. A measurement without a date counts as
    // older than all measurements with a date.
    let date = { (found: ImportedProfile) in found.profile.measuredAt ?? .distantPast }
    guard var newest = measurements.reversed().max(by: { date($0) < date($1) }) else { return nil }
    let others = measurements.count { $0.day == newest.day && $0.profile != newest.profile }
    if others > 0 {
      newest.notes.append(
        "the file has \(others + 1) different audiograms of "
          + "\(newest.day.map(\.description) ?? "unknown date"); the last one is used")
    }
    return newest
  }

  private static func days(of profiles: [ImportedProfile]) -> String {
    let days = profiles.map { $0.day?.description ?? "an undated one" }
    let shown = days.suffix(5).joined(separator: ", ")
    return days.count > 5 ? "\(days.count), the last \(shown)" : shown
  }
}
