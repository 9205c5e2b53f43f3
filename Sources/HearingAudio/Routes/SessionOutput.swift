internal import Foundation
internal import HearingDSP
internal import HearingProcessing

/// The route of a session, and everything that renders the session's sound.
///
/// There is one per session as long as somebody retains it: a binding, a call or a follower.
final class SessionOutput: Sendable {
  private static let all = Lock([UUID: Known]())

  private let session: UUID
  private let state = Lock(State())

  private struct Known: Sendable {
    weak let output: SessionOutput?
  }

  private struct State: Sendable {
    var route: AudioRoute?
    var followers: [Follower] = []
  }

  private struct Follower: Sendable {
    weak let follower: (any RouteFollowing)?
  }

  private init(_ session: UUID) {
    self.session = session
  }

  deinit {
    Self.all.withLock { all in
      if all[session]?.output == nil { all[session] = nil }
    }
  }

  /// The output of a session.
  static func of(_ session: ProcessingSession) -> SessionOutput {
    all.withLock { all in
      if let output = all[session.id]?.output { return output }
      let output = SessionOutput(session.id)
      all[session.id] = Known(output: output)
      return output
    }
  }

  /// The calibration of the latest route; nil before the first.
  var calibration: Calibration? { state.withLock { $0.route?.calibration } }

  /// Notifies all followers of the new route.
  ///
  /// It holds the lock, so that a follower that joins during this call gets the latest route. No code
  /// of the app runs under the lock.
  func enter(_ route: AudioRoute) {
    state.withLock { state in
      state.route = route
      state.followers.removeAll { $0.follower == nil }
      for known in state.followers { known.follower?.enter(route) }
    }
  }

  /// Tells a follower of this route and of every later one. It is not retained.
  func join(_ follower: any RouteFollowing) {
    state.withLock { state in
      if !state.followers.contains(where: { $0.follower === follower }) {
        state.followers.append(Follower(follower: follower))
      }
      if let route = state.route { follower.enter(route) }
    }
  }

  /// Ends what ``join(_:)`` began.
  func leave(_ follower: any RouteFollowing) {
    state.withLock { $0.followers.removeAll { $0.follower == nil || $0.follower === follower } }
  }
}

/// What a session's route changes: a processor's calibration, the echo path of a call.
protocol RouteFollowing: AnyObject, Sendable {
  func enter(_ route: AudioRoute)
}
