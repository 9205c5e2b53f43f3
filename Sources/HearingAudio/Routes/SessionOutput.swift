internal import Foundation
internal import HearingDSP
internal import HearingProcessing

/// The route of a session, and all objects that render the session's audio.
///
/// Each session has at most one `SessionOutput`. Processor bindings, call bindings and route
/// followers retain the `SessionOutput`.
final class SessionOutput: Sendable {
  private static let all = Lock([UUID: WeakOutput]())

  private let session: UUID
  private let state = Lock(State())

  private struct WeakOutput: Sendable {
    weak let output: SessionOutput?
  }

  private struct State: Sendable {
    var route: AudioRoute?
    var followers: [WeakFollower] = []
  }

  private struct WeakFollower: Sendable {
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

  /// Returns the output of a session. Creates the output if necessary.
  static func of(_ session: ProcessingSession) -> SessionOutput {
    all.withLock { all in
      if let output = all[session.id]?.output { return output }
      let output = SessionOutput(session.id)
      all[session.id] = WeakOutput(output: output)
      return output
    }
  }

  /// The calibration of the latest route. Nil before the first route.
  var calibration: Calibration? { state.withLock { $0.route?.calibration } }

  /// Notifies all followers of the new route.
  ///
  /// The lock is held during this call. Therefore, if a follower joins at the same time, it gets
  /// the latest route. No code of the app runs under the lock.
  func enter(_ route: AudioRoute) {
    state.withLock { state in
      state.route = route
      state.followers.removeAll { $0.follower == nil }
      for entry in state.followers { entry.follower?.enter(route) }
    }
  }

  /// Notifies a follower of the current route and of every later route. Does not retain the
  /// follower.
  func join(_ follower: any RouteFollowing) {
    state.withLock { state in
      if !state.followers.contains(where: { $0.follower === follower }) {
        state.followers.append(WeakFollower(follower: follower))
      }
      if let route = state.route { follower.enter(route) }
    }
  }

  /// Stops notifying a follower.
  func leave(_ follower: any RouteFollowing) {
    state.withLock { $0.followers.removeAll { $0.follower == nil || $0.follower === follower } }
  }
}

/// An object whose state depends on the route of a session. A route sets the calibration of a
/// processor or the echo path of a call.
protocol RouteFollowing: AnyObject, Sendable {
  func enter(_ route: AudioRoute)
}
