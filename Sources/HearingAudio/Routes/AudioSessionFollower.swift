public import HearingProcessing

/// Reacts to events of the system's audio session: new routes, interruptions, and resets of media
/// services.
///
///     let follower = AudioSessionFollower(session, routes: routes) { chain.rebuild() }
///     let token = follower.observe()          // on Apple's platforms
///
/// - A new route is passed to the ``RouteFollower``.
/// - When the system interrupts the audio session, for example because of a phone call, the
///   follower interrupts the `ProcessingSession` with the reason `InterruptionReason.audioSession`.
///   When the interruption of the audio session ends, the follower also ends this interruption of
///   the `ProcessingSession`. The system does not report the end of every interruption. Therefore
///   the app also ends the interruption when the user starts playback:
///   `session.resolve(interruption: .audioSession)`.
/// - After a reset of media services, all audio objects are invalid. The app rebuilds its audio
///   chain in the closure `rebuild`. After the call of `rebuild`, the current route is passed to
///   the ``RouteFollower`` again.
///
/// On platforms without `AVAudioSession`, such as macOS, the app itself passes each new route to
/// ``RouteFollower/enter(_:)``. If other audio interrupts the app's audio, the app also interrupts
/// the `ProcessingSession` with the reason `InterruptionReason.audioSession`.
public final class AudioSessionFollower: Sendable {
  /// An event of an audio session.
  package enum Event: Sendable, Equatable {
    /// The audio output has changed to another route.
    case routeChanged(AudioRoute)
    /// The system has interrupted the audio session.
    case interruptionBegan
    /// The interruption of the audio session has ended.
    case interruptionEnded
    /// The system has reset its media services. All audio objects are invalid.
    case mediaServicesReset
  }

  private let session: ProcessingSession
  private let routes: RouteFollower
  private let rebuild: @Sendable () -> Void

  /// Creates a follower.
  ///
  /// - Parameters:
  ///   - session: The `ProcessingSession` that is interrupted while the audio session is
  ///     interrupted.
  ///   - routes: The `RouteFollower` that receives the routes.
  ///   - rebuild: Rebuilds the app's audio chain after a reset of media services.
  public init(
    _ session: ProcessingSession, routes: RouteFollower, rebuild: @escaping @Sendable () -> Void
  ) {
    self.session = session
    self.routes = routes
    self.rebuild = rebuild
  }

  /// Handles an event of the audio session. Any thread may call this method. Events are handled in
  /// the order of the calls.
  ///
  /// - Returns: A publisher of the result. The published value is true if the `ProcessingSession`
  ///   remains interrupted after the event. If the `ProcessingSession` cannot be interrupted or
  ///   resumed, the publisher delivers an error. If media services were reset before an audio route
  ///   was known, the method returns nil.
  @discardableResult
  package func handle(_ event: Event) -> ResultPublisher<Bool, ProcessingError>? {
    switch event {
    case .routeChanged(let route):
      return routes.enter(route)
    case .interruptionBegan:
      return session.interrupt(reason: .audioSession)
    case .interruptionEnded:
      return session.resolve(interruption: .audioSession)
    case .mediaServicesReset:
      rebuild()
      return routes.route.map { routes.enter($0) }
    }
  }
}

extension InterruptionReason {
  /// The system interrupted the audio session, for example because of a phone call or another app.
  public static let audioSession = InterruptionReason("audio session")
}
