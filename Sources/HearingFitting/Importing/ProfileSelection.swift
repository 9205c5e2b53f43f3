/// Which of the audiograms that a file holds is meant.
///
///     guard let day = CalendarDay("2025-03-14") else { return }
///     let profile = try HearingProfile(contentsOf: url, selecting: .day(day))
public enum ProfileSelection: Sendable, Equatable {
  /// The one measured last; undated ones count as older than all others, and of two at the same
  /// time the later in the file is taken.
  case newest
  /// The one measured last on a day, as the file writes the day.
  case day(CalendarDay)
  /// The one at a place in ``HearingProfile/all(contentsOf:)``, from 0.
  case index(Int)

  /// The profile that is meant, of at least one.
  func profile(of profiles: [ImportedProfile]) throws(UnreadableDocument) -> HearingProfile {
    switch self {
    case .newest:
      guard let newest = Self.newest(of: profiles) else {
        throw .noAudiogram(reason: "the document holds no audiogram")
      }
      return newest
    case .day(let day):
      guard let newest = Self.newest(of: profiles.filter { $0.day == day }) else {
        throw .notThere(reason: "no audiogram of \(day); there is \(Self.days(of: profiles))")
      }
      return newest
    case .index(let index):
      guard profiles.indices.contains(index) else {
        throw .notThere(
          reason: "no audiogram \(index); there are \(profiles.count), counted from 0")
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
