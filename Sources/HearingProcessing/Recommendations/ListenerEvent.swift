/// An event that may change a listener's settings, such as a submitted hearing test.
///
///     controller.report(.hearingTestSubmitted(profile))
///
/// A custom recommendation source may define events with its own names.
public struct ListenerEvent: Sendable, Equatable {
  /// The name of the event.
  public let name: String
  /// The listener's identifier, or nil if the event contains no identifier.
  public let listener: String?
  /// The listener's new hearing profile, or nil if the event contains no profile.
  public let profile: HearingProfile?

  /// Creates a custom event. A custom event does not change the listener's profile.
  public init(name: String, listener: String? = nil, profile: HearingProfile? = nil) {
    self.name = name
    self.listener = listener
    self.profile = profile
  }

  /// A listener signed in.
  public static func authenticated(listener: String) -> ListenerEvent {
    ListenerEvent(name: Name.authenticated, listener: listener)
  }

  /// A hearing test was submitted. The profile of the test replaces the previous profile.
  public static func hearingTestSubmitted(_ profile: HearingProfile) -> ListenerEvent {
    ListenerEvent(name: Name.hearingTestSubmitted, profile: profile)
  }

  /// The listener's profile was deleted.
  public static let profileCleared = ListenerEvent(name: Name.profileCleared)

  /// The listener signed out. The listener's profile, the preset, and the cached preset of a custom
  /// preset data source are removed.
  public static let signedOut = ListenerEvent(name: Name.signedOut)

  /// The names of the events that this package knows.
  enum Name {
    static let authenticated = "authenticated"
    static let hearingTestSubmitted = "hearingTestSubmitted"
    static let profileCleared = "profileCleared"
    static let signedOut = "signedOut"
  }

  /// The profile after the event. The value `.some(nil)` means that the event removes the profile.
  /// The value nil means that the event does not change the profile.
  var newProfile: HearingProfile?? {
    switch name {
    case Name.hearingTestSubmitted: profile.map { .some($0) }
    case Name.profileCleared, Name.signedOut: .some(nil)
    default: nil
    }
  }
}
