/// Something that happened to the listener, and that settings may have to follow.
///
///     controller.report(.hearingTestSubmitted(profile))
///
/// An open set: a recommendation source of your own may know names of your own.
public struct ListenerEvent: Sendable, Equatable {
  /// What happened.
  public let name: String
  /// Who the listener is, if the event tells.
  public let listener: String?
  /// The profile that the event brings, if it brings one.
  public let profile: HearingProfile?

  /// An event of your own; it changes no profile.
  public init(name: String, listener: String? = nil, profile: HearingProfile? = nil) {
    self.name = name
    self.listener = listener
    self.profile = profile
  }

  /// A listener signed in.
  public static func authenticated(listener: String) -> ListenerEvent {
    ListenerEvent(name: Name.authenticated, listener: listener)
  }

  /// A hearing test was done: its profile takes the place of the one that was known.
  public static func hearingTestSubmitted(_ profile: HearingProfile) -> ListenerEvent {
    ListenerEvent(name: Name.hearingTestSubmitted, profile: profile)
  }

  /// The listener's profile was deleted.
  public static let profileCleared = ListenerEvent(name: Name.profileCleared)

  /// The names of the events that this package knows.
  enum Name {
    static let authenticated = "authenticated"
    static let hearingTestSubmitted = "hearingTestSubmitted"
    static let profileCleared = "profileCleared"
  }

  /// The profile that is known after the event; nil if the event does not concern it.
  var newProfile: HearingProfile?? {
    switch name {
    case Name.hearingTestSubmitted: profile.map { .some($0) }
    case Name.profileCleared: .some(nil)
    default: nil
    }
  }
}
