import HearingAudio
import HearingDSP
import HearingProcessing
import HearingVoice
import TestSupport
import XCTest

final class RouteFollowerTests: XCTestCase {
  private struct Refusal: Error {}

  private func makeSession() throws -> (ProcessingController, ProcessingSession) {
    let controller = ProcessingController(scheduler: ManualScheduler())
    let source = DefaultPresetDataSource(fitting: .techLevel(2))
    let session = try controller.activate(presetDataSource: .default(source))
    session.isEnabled.apply(true)
    return (controller, session)
  }

  private func outcome(
    _ result: ResultPublisher<Bool, ProcessingError>
  ) -> Result<Bool, ProcessingError>? {
    let recorder = Recorder<Result<Bool, ProcessingError>>()
    let token = result.sink { completion in
      if case .failure(let error) = completion { recorder.record(.failure(error)) }
    } receiveValue: {
      recorder.record(.success($0))
    }
    return withExtendedLifetime(token) { recorder.events.last }
  }

  private func isInterrupted(_ result: ResultPublisher<Bool, ProcessingError>) -> Bool? {
    try? outcome(result)?.get()
  }

  func test_hearingDevice_interruptsTheSession_andAnyOtherRouteResolvesTheInterruption() throws {
    let (controller, session) = try makeSession()
    let follower = RouteFollower(session)
    XCTAssertNil(follower.route)
    for kind in AudioRoute.Kind.known where kind != .hearingDevice {
      XCTAssertEqual(isInterrupted(follower.enter(AudioRoute(kind))), false)
      XCTAssertTrue(session.isEnabled.value)
      XCTAssertEqual(isInterrupted(follower.enter(AudioRoute(.hearingDevice))), true)
      XCTAssertEqual(session.interruptions, [.hearingDevice])
      XCTAssertFalse(session.isEnabled.value)
      XCTAssertEqual(follower.route?.kind, .hearingDevice)
      XCTAssertEqual(isInterrupted(follower.enter(AudioRoute(kind))), false)
      XCTAssertTrue(session.isEnabled.value)
    }
    withExtendedLifetime(controller) {}
  }

  func test_enter_sameRouteAgain_givesTheSameResult() throws {
    let (controller, session) = try makeSession()
    let follower = RouteFollower(session)
    for _ in 0..<2 {
      XCTAssertEqual(isInterrupted(follower.enter(AudioRoute(.hearingDevice))), true)
    }
    XCTAssertEqual(isInterrupted(follower.enter(AudioRoute(.wired))), false)
    XCTAssertEqual(isInterrupted(follower.enter(AudioRoute(.wired))), false)
    withExtendedLifetime(controller) {}
  }

  func test_enter_anyRoute_doesNotResolveInterruptionsOfTheApp() throws {
    let (controller, session) = try makeSession()
    let follower = RouteFollower(session)
    session.interrupt(reason: "hearing test")
    XCTAssertEqual(isInterrupted(follower.enter(AudioRoute(.speaker))), true)
    XCTAssertEqual(isInterrupted(follower.enter(AudioRoute(.hearingDevice))), true)
    XCTAssertEqual(isInterrupted(follower.enter(AudioRoute(.speaker))), true)
    XCTAssertEqual(session.interruptions, ["hearing test"])
    session.resolve(interruption: "hearing test")
    XCTAssertTrue(session.isEnabled.value)
    withExtendedLifetime(controller) {}
  }

  func test_calibration_isSetOnEveryBoundProcessor_withoutRetainingBindings() throws {
    let (controller, session) = try makeSession()
    let spec = ProcessingSpec(sampleRate: 48_000, channelCount: 2)
    let first = session.bind(to: try BandGainProcessor(spec: spec))
    var second: ProcessorBinding? = session.bind(to: try BandGainProcessor(spec: spec))
    weak let released = second
    let follower = RouteFollower(session)
    follower.enter(AudioRoute(.wired, calibration: Calibration(fullScaleSPL: 112)))
    XCTAssertEqual(first.calibration.fullScaleSPL, 112)
    XCTAssertEqual(second?.calibration.fullScaleSPL, 112)
    second = nil
    XCTAssertNil(released, "the follower does not retain bindings")
    follower.enter(AudioRoute(.wired, calibration: Calibration(fullScaleSPL: 108)))
    XCTAssertEqual(first.calibration.fullScaleSPL, 108)
    withExtendedLifetime(controller) {}
  }

  func test_calibration_isSetOnLaterBindings_unlessTheyHaveTheirOwnCalibration() throws {
    let (controller, session) = try makeSession()
    let (_, other) = try makeSession()
    let spec = ProcessingSpec(sampleRate: 48_000, channelCount: 2)
    let follower = RouteFollower(session)
    follower.enter(AudioRoute(.wired, calibration: Calibration(fullScaleSPL: 112)))
    let later = session.bind(to: try BandGainProcessor(spec: spec))
    let own = session.bind(
      to: try BandGainProcessor(spec: spec), calibration: Calibration(fullScaleSPL: 90))
    let changed = session.bind(to: try BandGainProcessor(spec: spec))
    changed.calibration = Calibration(fullScaleSPL: 95)
    let foreign = other.bind(to: try BandGainProcessor(spec: spec))
    let call = try VoiceProcessor(
      sampleRate: 48_000, farProcessor: BandGainProcessor(spec: spec))
    let callBinding = session.bind(to: call)
    XCTAssertEqual(later.calibration.fullScaleSPL, 112)
    XCTAssertEqual(callBinding.listener?.calibration.fullScaleSPL, 112)
    // Wired devices may be loudspeakers, so the tail is not shortened.
    XCTAssertEqual(call.echoPath, EchoPath(suppression: 0, raisesSuppression: true))
    follower.enter(AudioRoute(.bluetooth, calibration: Calibration(fullScaleSPL: 108)))
    XCTAssertEqual(later.calibration.fullScaleSPL, 108)
    XCTAssertEqual(callBinding.listener?.calibration.fullScaleSPL, 108)
    XCTAssertEqual(call.echoPath.delay, 0.18)
    XCTAssertEqual(own.calibration.fullScaleSPL, 90)
    XCTAssertEqual(changed.calibration.fullScaleSPL, 95)
    XCTAssertEqual(foreign.calibration.fullScaleSPL, 100)
    withExtendedLifetime((controller, follower)) {}
  }

  func test_calibration_afterTheFollowerIsReleased_isNotSetOnLaterBindings() throws {
    let (controller, session) = try makeSession()
    let spec = ProcessingSpec(sampleRate: 48_000, channelCount: 2)
    var follower: RouteFollower? = RouteFollower(session)
    follower?.enter(AudioRoute(.wired, calibration: Calibration(fullScaleSPL: 112)))
    follower = nil
    let binding = session.bind(to: try BandGainProcessor(spec: spec))
    XCTAssertEqual(binding.calibration.fullScaleSPL, 100)
    withExtendedLifetime(controller) {}
  }

  func test_echoPath_isSetOnEveryCall_withoutRetainingCalls() throws {
    let (controller, session) = try makeSession()
    let first = try VoiceProcessor(sampleRate: 8_000)
    var second: VoiceProcessor? = try VoiceProcessor(sampleRate: 8_000)
    weak let released = second
    let follower = RouteFollower(session, calls: [first] + [second].compactMap { $0 })
    follower.enter(AudioRoute(.bluetooth))
    XCTAssertEqual(first.echoPath.delay, 0.18)
    XCTAssertEqual(second?.echoPath.tail, 0.128)
    second = nil
    XCTAssertNil(released, "the follower does not retain calls")
    follower.enter(AudioRoute(.car, echoPath: EchoPath(delay: 0.04, tail: 0.2)))
    XCTAssertEqual(first.echoPath, EchoPath(delay: 0.04, tail: 0.2))
    follower.enter(AudioRoute(.speaker))
    XCTAssertEqual(first.echoPath, EchoPath())
    withExtendedLifetime(controller) {}
  }

  func test_enter_wiredRouteAfterAHearingDevice_setsTheCalibrationBeforeProcessingIsEnabled() throws
  {
    let (controller, session) = try makeSession()
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let binding = session.bind(to: processor)
    let follower = RouteFollower(session)
    let log = Recorder<String>()
    let applicator = session.isEnabled.applicator().apply { [weak binding] value, result in
      log.record("\(value) at \(binding?.calibration.fullScaleSPL ?? 0)")
      result(.success)
    }
    follower.enter(AudioRoute(.hearingDevice, calibration: Calibration(fullScaleSPL: 90)))
    follower.enter(AudioRoute(.wired, calibration: Calibration(fullScaleSPL: 120)))
    XCTAssertEqual(log.events, ["false at 100.0", "true at 120.0"])
    withExtendedLifetime((controller, applicator)) {}
  }

  func test_enter_applicatorFails_reportsTheFailure_andEnteringAgainRetries() throws {
    let (controller, session) = try makeSession()
    let follower = RouteFollower(session)
    let refuses = Guarded(true)
    let applicator = session.isEnabled.applicator().apply { _, result in
      result(refuses.withLock { $0 } ? .failure(Refusal()) : .success)
    }
    guard case .failure(.parameter)? = outcome(follower.enter(AudioRoute(.hearingDevice))) else {
      return XCTFail("an applicator refused")
    }
    XCTAssertTrue(session.isInterrupted, "recorded in any case")
    XCTAssertFalse(session.isEnabled.value)
    refuses.withLock { $0 = false }
    XCTAssertEqual(isInterrupted(follower.enter(AudioRoute(.hearingDevice))), true)
    refuses.withLock { $0 = true }
    guard case .failure(.parameter)? = outcome(follower.enter(AudioRoute(.wired))) else {
      return XCTFail("an applicator refused")
    }
    XCTAssertTrue(session.isInterrupted)
    refuses.withLock { $0 = false }
    XCTAssertEqual(isInterrupted(follower.enter(AudioRoute(.wired))), false)
    XCTAssertTrue(session.isEnabled.value)
    withExtendedLifetime((controller, applicator)) {}
  }

  func test_enter_slowApplicator_delaysTheResults_andKeepsTheirOrder() throws {
    let (controller, session) = try makeSession()
    let follower = RouteFollower(session)
    let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
    let applicator = session.isEnabled.applicator().apply { _, result in answers.record(result) }
    let entering = follower.enter(AudioRoute(.hearingDevice))
    let leaving = follower.enter(AudioRoute(.wired))
    XCTAssertNil(outcome(entering))
    answers.events[0](.success)
    XCTAssertEqual(isInterrupted(entering), true)
    XCTAssertNil(outcome(leaving))
    answers.events[1](.success)
    XCTAssertEqual(isInterrupted(leaving), false)
    XCTAssertTrue(session.isEnabled.value)
    withExtendedLifetime((controller, applicator)) {}
  }

  func test_secondFollower_afterTheFirstIsReleased_resolvesTheInterruptionOfTheFirst() throws {
    let (controller, session) = try makeSession()
    var first: RouteFollower? = RouteFollower(session)
    first?.enter(AudioRoute(.hearingDevice))
    first = nil
    XCTAssertTrue(session.isInterrupted)
    let second = RouteFollower(session)
    XCTAssertEqual(isInterrupted(second.enter(AudioRoute(.speaker))), false)
    XCTAssertTrue(session.isEnabled.value)
    withExtendedLifetime(controller) {}
  }

  func test_secondFollower_whileTheFirstInterruptionIsPending_resolvesTheInterruption() throws {
    let (controller, session) = try makeSession()
    let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
    let applicator = session.isEnabled.applicator().apply { _, result in answers.record(result) }
    var first: RouteFollower? = RouteFollower(session)
    let entering = first?.enter(AudioRoute(.hearingDevice))
    first = nil
    XCTAssertEqual(session.interruptions, [], "the applicator has not answered")
    let leaving = RouteFollower(session).enter(AudioRoute(.wired))
    answers.events[0](.success)
    XCTAssertEqual(try isInterrupted(XCTUnwrap(entering)), true)
    XCTAssertEqual(answers.events.count, 2)
    answers.events.last?(.success)
    XCTAssertEqual(isInterrupted(leaving), false)
    XCTAssertFalse(session.isInterrupted)
    XCTAssertTrue(session.isEnabled.value)
    withExtendedLifetime((controller, applicator)) {}
  }

  func test_enter_afterTheSessionIsDeactivated_fails() throws {
    let (controller, session) = try makeSession()
    let follower = RouteFollower(session)
    controller.deactivate()
    guard
      case .failure(.sessionDeactivated)? = outcome(follower.enter(AudioRoute(.hearingDevice)))
    else { return XCTFail("there is no session to interrupt") }
  }

  func test_enter_onManyThreads_interruptionMatchesTheLastRoute() throws {
    let (controller, session) = try makeSession()
    let follower = RouteFollower(session)
    let threads = (0..<4).map { index in
      OtherThread {
        for round in 0..<50 {
          follower.enter(AudioRoute((index + round) % 2 == 0 ? .hearingDevice : .wired))
        }
      }
    }
    threads.forEach { $0.join() }
    XCTAssertEqual(session.isInterrupted, follower.route?.kind == .hearingDevice)
    withExtendedLifetime(controller) {}
  }
}
