public import HearingProcessing

/// Lets a session follow the routes that its sound takes.
///
///     let follower = RouteFollower(session, bindings: [binding])
///     follower.enter(AudioRoute(.hearingDevice))     // interrupts the session
///     follower.enter(AudioRoute(.wired))             // resolves the interruption
///
/// A hearing device applies a fitting of its own, so entering that route interrupts the session, for
/// the reason ``RouteInterruption/hearingDevice``, and leaving it resolves the interruption: nothing
/// is amplified twice. Each route's calibration is carried to the bound processors; on leaving a
/// hearing device, before anything is amplified again.
///
/// It watches no system: an app tells it what its audio session says, from any thread. Calls are
/// carried out in order. It keeps the session, but not the bindings; released while a hearing device
/// is in use, it leaves the session interrupted, and another follower of that session goes on.
public final class RouteFollower: Sendable {
  private let session: ProcessingSession
  private let bindings: [FollowedBinding]
  private let state = Lock(State())

  /// A binding that whoever made it keeps.
  private struct FollowedBinding: Sendable {
    weak let binding: ProcessorBinding?
  }

  private struct Entry: Sendable {
    let route: AudioRoute
    let outcome: ResultPublisher<Bool, ProcessingError>
  }

  private struct State: Sendable {
    var route: AudioRoute?
    var waiting: [Entry] = []
    var isBusy = false
  }

  /// A follower that knows of no route yet.
  ///
  /// - Parameters:
  ///   - session: Interrupted while a hearing device is in use.
  ///   - bindings: What is calibrated with each route.
  public init(_ session: ProcessingSession, bindings: [ProcessorBinding] = []) {
    self.session = session
    self.bindings = bindings.map { FollowedBinding(binding: $0) }
  }

  /// The route entered last; nil before the first.
  public var route: AudioRoute? { state.withLock { $0.route } }

  /// Takes note that sound takes another route, or that its calibration is another one.
  ///
  /// Entering a route again repeats what failed before.
  ///
  /// - Parameter route: Its calibration must be within `ProcessorSettings.supportedFullScales`.
  /// - Returns: The result: whether the session is interrupted now, for whatever reason; or why it
  ///   could not be interrupted or resolved.
  @discardableResult
  public func enter(_ route: AudioRoute) -> ResultPublisher<Bool, ProcessingError> {
    route.calibration.checkRange()
    let entry = Entry(route: route, outcome: ResultPublisher())
    let drives = state.withLock { state in
      state.route = route
      state.waiting.append(entry)
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if drives { while let entry = next() { carryOut(entry) } }
    return entry.outcome
  }

  private func next() -> Entry? {
    state.withLock { state in
      state.isBusy = !state.waiting.isEmpty
      return state.isBusy ? state.waiting.removeFirst() : nil
    }
  }

  /// Asks the session; what it does about it may take longer, and is in order by itself.
  private func carryOut(_ entry: Entry) {
    if entry.route.kind == .hearingDevice {
      let result = session.interrupt(reason: RouteInterruption.hearingDevice)
      calibrate(entry.route)
      result.observe { entry.outcome.settle($0) }
    } else {
      calibrate(entry.route)
      // Also if this follower knows of no interruption: another one's may still be on its way.
      session.resolve(interruption: RouteInterruption.hearingDevice).observe { [session] result in
        entry.outcome.settle(result.withoutInterruption(session.isInterrupted))
      }
    }
  }

  private func calibrate(_ route: AudioRoute) {
    for followed in bindings { followed.binding?.calibration = route.calibration }
  }
}

extension Result<Bool, ProcessingError> {
  /// That there was nothing to resolve is no failure.
  fileprivate func withoutInterruption(_ isInterrupted: Bool) -> Self {
    switch self {
    case .failure(.interruptionNotFound), .failure(.notInterrupted): .success(isInterrupted)
    case .success, .failure: self
    }
  }
}
