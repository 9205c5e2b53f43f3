/// An event that concerns the listener and may change the settings.
///
///     controller.report(.hearingTestSubmitted(profile))
///
/// The set of events is open: a custom recommendation source may use its own names.
public struct ListenerEvent: Sendable, Equatable {
  /// The name of the event.
  public let name: String
  /// The listener, if the event names one.
  public let listener: String?
  /// The profile that belongs to the event, if any.
  public let profile: HearingProfile?

  /// Creates a custom event; it does not change the profile.
  public init(name: String, listener: String? = nil, profile: HearingProfile? = nil) {
    self.name = name
    self.listener = listener
    self.profile = profile
  }

  /// A listener signed in.
  public static func authenticated(listener: String) -> ListenerEvent {
    ListenerEvent(name: Name.authenticated, listener: listener)
  }

  /// A hearing test was submitted: its profile replaces the previous one.
  public static func hearingTestSubmitted(_ profile: HearingProfile) -> ListenerEvent {
    ListenerEvent(name: Name.hearingTestSubmitted, profile: profile)
  }

  /// The listener's profile was deleted.
  public static let profileCleared = ListenerEvent(name: Name.profileCleared)

  /// The listener signed out: profile, preset and a custom source's cached preset are removed.
  public static let signedOut = ListenerEvent(name: Name.signedOut)

  /// The names of the events that this package knows.
  enum Name {
    static let authenticated = "authenticated"
    static let hearingTestSubmitted = "hearingTestSubmitted"
    static let profileCleared = "profileCleared"
    static let signedOut = "signedOut"
  }

  /// The profile after the event; nil if the event does not change it.
  var newProfile: HearingProfile?? {
    switch name {
    case Name.hearingTestSubmitted: profile.map { .some($0) }
    case Name.profileCleared, Name.signedOut: .some(nil)
    default: nil
    }
  }
}
