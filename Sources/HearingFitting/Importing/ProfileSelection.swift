/// Selects one of the audiograms in a file.
///
///     guard let day = CalendarDay("2025-03-14") else { return }
///     let profile = try HearingProfile(contentsOf: url, selecting: .day(day))
public enum ProfileSelection: Sendable, Equatable {
  /// The latest measurement. Undated ones are older than all others; of several at the same time,
  /// the last in the file is used.
  case newest
  /// The latest measurement of a day, as the file states the day.
  case day(CalendarDay)
  /// The measurement at an index of ``HearingProfile/all(contentsOf:)``, from 0.
  case index(Int)

  /// The selected profile; `profiles` has at least one element.
  func profile(of profiles: [ImportedProfile]) throws(UnreadableDocument) -> HearingProfile {
    switch self {
    case .newest:
      guard let newest = Self.newest(of: profiles) else {
        throw .noAudiogram(reason: "the document contains no audiogram")
      }
      return newest
    case .day(let day):
      guard let newest = Self.newest(of: profiles.filter { $0.day == day }) else {
        throw .notThere(reason: "no audiogram of \(day); the file has \(Self.days(of: profiles))")
      }
      return newest
    case .index(let index):
      guard profiles.indices.contains(index) else {
        throw .notThere(
          reason: "no audiogram with index \(index); the file has \(profiles.count), "
            + "with indices from 0")
      }
      return profiles[index].profile
    }
  }

  private static func newest(of profiles: [ImportedProfile]) -> HearingProfile? {
    var newest: HearingProfile?
    for profile in profiles.map(\.profile) {
      guard let best = newest else {
        newest = profile
        continue
      }
      switch (profile.measuredAt, best.measuredAt) {
      case (let date?, let bestDate?) where date >= bestDate: newest = profile
      case (_, nil): newest = profile
      default: break
      }
    }
    return newest
  }

  private static func days(of profiles: [ImportedProfile]) -> String {
    let days = profiles.map { $0.day?.description ?? "an undated one" }
    let shown = days.suffix(5).joined(separator: ", ")
    return days.count > 5 ? "\(days.count), the last \(shown)" : shown
  }
}
