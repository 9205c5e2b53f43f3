public import HearingProcessing
public import HearingVoice

/// Interrupts and calibrates a session when its audio route changes.
///
///     let follower = RouteFollower(session)
///     follower.enter(AudioRoute(.hearingDevice))     // interrupts the session
///     follower.enter(AudioRoute(.wired))             // resolves the interruption
///
/// A hearing device applies its own fitting. To prevent double amplification, a route to a hearing
/// device interrupts the session, with the reason `InterruptionReason.hearingDevice`. A route to
/// another device resolves the interruption.
///
/// Each route also sets the calibration of all objects that render the session's audio. These are
/// bound processors, voice calls, `PassThruProcessing`, and every `HearingAudioUnit` that follows
/// the session. This includes objects that are bound after the route is entered. Routes do not
/// change the calibration of a binding that has an explicit calibration. When the route changes
/// from a hearing device to another device, the calibration is set before the interruption is
/// resolved. Calls also get the ``AudioRoute/echoPath`` of each route. It contains the delay, the
/// tail and the strength of echo suppression.
///
/// The app calls ``enter(_:)`` from any thread when its audio route changes. These calls are
/// processed in order. The follower retains the session. It does not retain bindings or voice
/// calls. If the follower is released while a hearing device is in use, the session stays
/// interrupted. Another follower of the session can resolve the interruption.
public final class RouteFollower: Sendable {
  private let session: ProcessingSession
  private let output: SessionOutput
  private let state = Lock(State())

  private struct Entry: Sendable {
    let route: AudioRoute
    let outcome: ResultPublisher<Bool, ProcessingError>
  }

  private struct State: Sendable {
    var route: AudioRoute?
    var waiting: [Entry] = []
    var isBusy = false
  }

  /// Creates a follower without a route.
  ///
  /// - Parameters:
  ///   - session: The session that is interrupted while a hearing device is in use.
  ///   - calls: Voice calls that are not bound to the session. Each route sets their `echoPath`.
  ///     The follower does not retain these calls.
  public init(_ session: ProcessingSession, calls: [VoiceProcessor] = []) {
    self.session = session
    output = SessionOutput.of(session)
    for call in calls { output.join(call) }
  }

  /// The latest route. Nil before the first route.
  public var route: AudioRoute? { state.withLock { $0.route } }

  /// Sets the current route, or changes the calibration of the current route.
  ///
  /// To retry changes that failed, call this method with the same route again.
  ///
  /// - Parameter route: The route. Its calibration must be within
  ///   `ProcessorSettings.supportedFullScales`.
  /// - Returns: A publisher of the result. The value is true if the session is interrupted
  ///   afterwards, for any reason. If the change fails, the result is an error.
  @discardableResult
  public func enter(_ route: AudioRoute) -> ResultPublisher<Bool, ProcessingError> {
    route.calibration.checkRange()
    let entry = Entry(route: route, outcome: ResultPublisher())
    let wasIdle = state.withLock { state in
      state.route = route
      state.waiting.append(entry)
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if wasIdle { while let entry = next() { process(entry) } }
    return entry.outcome
  }

  private func next() -> Entry? {
    state.withLock { state in
      state.isBusy = !state.waiting.isEmpty
      return state.isBusy ? state.waiting.removeFirst() : nil
    }
  }

  /// Starts the change in the session and does not wait for its completion. The session processes
  /// changes in order.
  private func process(_ entry: Entry) {
    if entry.route.kind == .hearingDevice {
      let result = session.interrupt(reason: .hearingDevice)
      output.enter(entry.route)
      result.observe { entry.outcome.settle($0) }
    } else {
      output.enter(entry.route)
      // Always resolves the interruption, because another follower may have interrupted the
      // session.
      session.resolve(interruption: .hearingDevice).observe { [session] result in
        entry.outcome.settle(result.withoutInterruption(session.isInterrupted))
      }
    }
  }
}

extension Result<Bool, ProcessingError> {
  /// The result, in which a missing interruption counts as success.
  fileprivate func withoutInterruption(_ isInterrupted: Bool) -> Self {
    switch self {
    case .failure(.interruptionNotFound), .failure(.notInterrupted): .success(isInterrupted)
    case .success, .failure: self
    }
  }
}

extension InterruptionReason {
  /// The audio route is a hearing device, which applies its own processing.
  public static let hearingDevice = InterruptionReason("route hearing-device")
}
