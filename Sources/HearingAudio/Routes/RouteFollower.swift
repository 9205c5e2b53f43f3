public import HearingProcessing
public import HearingVoice

/// Interrupts a session while a hearing device is in use, and sets the calibration for each audio
/// route.
///
///     let follower = RouteFollower(session)
///     follower.enter(AudioRoute(.hearingDevice))     // interrupts the session
///     follower.enter(AudioRoute(.wired))             // resolves the interruption
///
/// A hearing device amplifies the sound for its user. If the session also amplified the sound, the
/// sound would be amplified twice. Therefore, when the route changes to a hearing device, the
/// follower interrupts the session with the reason `InterruptionReason.hearingDevice`. When the
/// route changes to another kind of device, the follower ends the interruption.
///
/// Each route also sets the calibration of all objects that render the session's audio. The
/// session's audio is rendered by bound processors, voice calls, `PassThruProcessing`, and every
/// `HearingAudioUnit` that follows the session. An object that is bound to the session after a
/// route change uses the calibration of the latest route. If the app has set the calibration of a
/// binding, routes do not change this calibration. When the route changes from a hearing device to
/// another device, the calibration is set before the interruption ends. Voice calls also get the
/// ``AudioRoute/echoPath`` of each route. An `EchoPath` consists of settings for the echo
/// canceller: the delay of the devices, the length of the echo, and the strength of suppression.
///
/// When the audio route changes, the app calls ``enter(_:)``. Any thread may call ``enter(_:)``.
/// The calls are processed in order. The follower retains the session, but does not retain bindings
/// or voice calls. If the app releases the follower while a hearing device is in use, the session
/// stays interrupted. Another follower of the session can end the interruption.
public final class RouteFollower: Sendable {
  private let session: ProcessingSession
  private let output: SessionOutput
  private let callTokens: [ObservationToken]
  private let latest = Lock(AudioRoute?.none)

  /// Creates a follower. The follower has no route until the first call of ``enter(_:)``.
  ///
  /// - Parameters:
  ///   - session: The session that is interrupted while a hearing device is in use.
  ///   - calls: Voice calls that are not bound to the session. While the follower exists, each
  ///     route of the session sets the `echoPath` of the voice calls in `calls`. The follower does
  ///     not retain the voice calls.
  public init(_ session: ProcessingSession, calls: [VoiceProcessor] = []) {
    self.session = session
    let output = SessionOutput.of(session)
    self.output = output
    callTokens = calls.map { call in
      output.follow { [weak call] in call?.echoPath = $0.echoPath }
    }
  }

  /// The latest route that was passed to ``enter(_:)``. Before the first call, this property is
  /// nil.
  public var route: AudioRoute? { latest.withLock { $0 } }

  /// Sets the current route, or changes the calibration of the current route.
  ///
  /// If the returned publisher delivers an error, call `enter` again with the same route.
  ///
  /// - Parameter route: The route. The calibration of the route must be within
  ///   `ProcessorSettings.supportedFullScales`.
  /// - Returns: A publisher of the result. The published value is true if the session is
  ///   interrupted after the change, for any reason. If the session cannot be interrupted or
  ///   resumed, the publisher delivers an error.
  @discardableResult
  public func enter(_ route: AudioRoute) -> ResultPublisher<Bool, ProcessingError> {
    route.calibration.checkRange()
    let outcome = ResultPublisher<Bool, ProcessingError>()
    // The closure does not wait until the interruption has started or ended, because the session
    // processes all calls in order.
    output.changes.run(willAdd: { latest.withLock { $0 = route } }) { [self] in
      let isHearingDevice = route.kind == .hearingDevice
      let interruption = isHearingDevice ? session.interrupt(reason: .hearingDevice) : nil
      output.enter(route)
      // The call of `resolve` ends the interruption even if another follower has started the
      // interruption.
      let result = interruption ?? session.resolve(interruption: .hearingDevice)
      result.observe { [session] result in
        switch result {
        case .failure(.interruptionNotFound), .failure(.notInterrupted):
          outcome.settle(.success(session.isInterrupted))
        default: outcome.settle(result)
        }
      }
    }
    return outcome
  }
}

extension InterruptionReason {
  /// The audio route is a hearing device. A hearing device applies its own processing.
  public static let hearingDevice = InterruptionReason("route hearing-device")
}
