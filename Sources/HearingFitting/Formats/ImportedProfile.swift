/// One of the measurements that a file holds.
///
///     for found in try HearingProfile.all(contentsOf: url) {
///       print(found.day?.description ?? "undated", found.place)
///     }
public struct ImportedProfile: Sendable, Equatable {
  /// What was measured; at least one ear is known.
  public let profile: HearingProfile
  /// The day of the measurement as the file writes it, in the zone of the place; nil: undated.
  public let day: CalendarDay?
  /// Where in the file it stands, such as "line 812" or "entry[3].resource"; empty where the file
  /// holds nothing else.
  public let place: String

  init(profile: HearingProfile, day: CalendarDay?, place: String) {
    self.profile = profile
    self.day = day
    self.place = place
  }
}
