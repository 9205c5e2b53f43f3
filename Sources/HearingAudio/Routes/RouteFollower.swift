public import HearingProcessing
public import HearingVoice

/// Interrupts and calibrates a session when its audio route changes.
///
///     let follower = RouteFollower(session)
///     follower.enter(AudioRoute(.hearingDevice))     // interrupts the session
///     follower.enter(AudioRoute(.wired))             // resolves the interruption
///
/// A hearing device applies its own fitting. Entering that route interrupts the session, with the
/// reason `InterruptionReason.hearingDevice`; leaving it resolves the interruption. This prevents
/// double amplification.
///
/// Each route also calibrates all objects that render the session's sound: bound processors, calls,
/// the pass-thru, and every `HearingAudioUnit` that follows the session. This includes objects that
/// are bound after the route is entered. Only a binding with an explicit calibration keeps that
/// calibration. When the route changes from a hearing device to another device, the calibration is
/// set before the interruption is resolved. Calls also get each route's ``AudioRoute/echoPath``:
/// delay, tail and strength of echo suppression.
///
/// The app calls ``enter(_:)`` from any thread when its audio route changes; calls are processed in
/// order. The follower retains the session but neither bindings nor calls. If it is released
/// while a hearing device is in use, the session stays interrupted; another follower of the session
/// can resolve the interruption.
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
  ///   - session: Interrupted while a hearing device is in use.
  ///   - calls: Calls that are not bound to the session. Each route sets their `echoPath`. They are
  ///     not retained.
  public init(_ session: ProcessingSession, calls: [VoiceProcessor] = []) {
    self.session = session
    output = SessionOutput.of(session)
    for call in calls { output.join(call) }
  }

  /// The latest route; nil before the first.
  public var route: AudioRoute? { state.withLock { $0.route } }

  /// Enters a route, or changes the calibration of the current one.
  ///
  /// Entering the same route again retries changes that failed before.
  ///
  /// - Parameter route: Its calibration must be within `ProcessorSettings.supportedFullScales`.
  /// - Returns: Whether the session is now interrupted for any reason, or the error of interrupting
  ///   or resolving.
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

  /// Starts the change in the session without waiting for its completion; the session keeps changes
  /// in order.
  private func process(_ entry: Entry) {
    if entry.route.kind == .hearingDevice {
      let result = session.interrupt(reason: .hearingDevice)
      output.enter(entry.route)
      result.observe { entry.outcome.settle($0) }
    } else {
      output.enter(entry.route)
      // Always resolves, because another follower may have interrupted the session.
      session.resolve(interruption: .hearingDevice).observe { [session] result in
        entry.outcome.settle(result.withoutInterruption(session.isInterrupted))
      }
    }
  }
}

extension Result<Bool, ProcessingError> {
  /// The result; a missing interruption counts as success.
  fileprivate func withoutInterruption(_ isInterrupted: Bool) -> Self {
    switch self {
    case .failure(.interruptionNotFound), .failure(.notInterrupted): .success(isInterrupted)
    case .success, .failure: self
    }
  }
}

extension InterruptionReason {
  /// The route leads to a hearing device, which processes the sound itself.
  public static let hearingDevice = InterruptionReason("route hearing-device")
}
