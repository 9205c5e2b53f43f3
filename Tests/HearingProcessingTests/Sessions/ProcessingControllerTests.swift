import HearingProcessing
import TestSupport
import XCTest

final class ProcessingControllerTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private lazy var controller = ProcessingController(scheduler: scheduler)
  private let source = PresetDataSource.default(
    DefaultPresetDataSource(fitting: .techLevel(2), profile: HearingProfile(left: .n2)))

  // MARK: Activation

  func test_activate_startsDisabledWithoutAPreset_andAppliesValues() throws {
    let session = try controller.activate(presetDataSource: source)
    XCTAssertFalse(session.isEnabled.value)
    XCTAssertEqual(session.intensity.value, 1)
    XCTAssertNil(session.preset.value)
    XCTAssertFalse(session.isInterrupted)
    XCTAssertEqual(session.interruptions, [])
    guard case .applied = session.preset.updateState else { return XCTFail("it loads") }
    let device = ManualDevice(session.intensity, automatic: .success)
    session.intensity.apply(0.5)
    XCTAssertEqual(device.asked, [0.5])
    XCTAssertFalse(session.isEnabled.value)
  }

  func test_activate_whileASessionIsActive_throwsAndKeepsTheSession() throws {
    let session = try controller.activate(presetDataSource: source)
    XCTAssertThrowsError(try controller.activate(presetDataSource: source)) { error in
      guard case ProcessingError.sessionAlreadyActivated = error else {
        return XCTFail("\(error)")
      }
    }
    XCTAssertTrue(controller.session.value === session)
    XCTAssertNil(session.intensity.apply(0.5).failureNow)
  }

  func test_activate_fromManyThreads_makesOneSession() {
    let source = source
    for _ in 0..<50 {
      let controller = ProcessingController(scheduler: scheduler)
      let made = Recorder<UUID>()
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        if let session = try? controller.activate(presetDataSource: source) {
          made.record(session.id)
        }
      }
      XCTAssertEqual(made.events, [controller.session.value?.id].compactMap { $0 })
    }
  }

  func test_session_changesFromNilToSessionToNil_andIsReplayedToNewSubscribers() throws {
    let seen = Recorder<UUID?>()
    let token = controller.session.sink { seen.record($0?.id) }
    let first = try controller.activate(presetDataSource: source)
    let late = Recorder<UUID?>()
    let lateToken = controller.session.sink { late.record($0?.id) }
    controller.deactivate()
    let second = try controller.activate(presetDataSource: source)
    XCTAssertEqual(seen.events, [nil, first.id, nil, second.id])
    XCTAssertEqual(late.events, [first.id, nil, second.id])
    XCTAssertNotEqual(first.id, second.id)
    _ = (token, lateToken)
  }

  func test_session_asAsyncSequence_deliversTheActiveSession() async throws {
    let session = try controller.activate(presetDataSource: source)
    for await value in controller.session.values {
      XCTAssertTrue(value === session)
      break
    }
  }

  func test_subscriberOfSession_canDeactivateAndActivate() throws {
    let controller = controller
    let source = source
    let seen = Recorder<UUID?>()
    let count = Recorder<Void>()
    let token = controller.session.sink { session in
      seen.record(session?.id)
      guard session != nil, count.events.isEmpty else { return }
      count.record(())
      controller.deactivate()
      _ = try? controller.activate(presetDataSource: source)
    }
    let first = try controller.activate(presetDataSource: source)
    let second = controller.session.value
    XCTAssertNotNil(second)
    XCTAssertEqual(seen.events, [nil, first.id, nil, second?.id])
    guard case .sessionDeactivated = first.intensity.apply(0.5).failureNow else {
      return XCTFail("the first session lives")
    }
    _ = token
  }

  // MARK: Lifetimes

  func test_releasingTheController_doesNotEndTheSession() throws {
    var controller: ProcessingController? = ProcessingController(scheduler: scheduler)
    let session = try XCTUnwrap(controller).activate(presetDataSource: source)
    controller = nil
    XCTAssertNil(session.intensity.apply(0.5).failureNow)
    XCTAssertNil(session.interrupt(reason: "1").failureNow)
    XCTAssertTrue(session.isInterrupted)
  }

  func test_sessionAndController_areFreed_whileTokensAreRetained() throws {
    weak var session: ProcessingSession?
    weak var controller: ProcessingController?
    var tokens: [ObservationToken] = []
    do {
      let made = ProcessingController(scheduler: scheduler)
      controller = made
      let active = try made.activate(presetDataSource: source)
      session = active
      tokens = [
        active.isEnabled.$value.sink { _ in }, active.$isInterrupted.sink { _ in },
        active.intensity.$updateState.sink { _ in }, made.session.sink { _ in },
        active.interrupt(reason: "1").sink { _ in
        } receiveValue: { _ in
        },
        active.intensity.apply(0.3).sink { _ in
        } receiveValue: { _ in
        },
      ]
      made.deactivate()
    }
    XCTAssertNil(session)
    XCTAssertNil(controller)
    XCTAssertEqual(tokens.count, 6)
  }

  func test_parameter_afterReleaseOfSessionAndController_appliesValues() throws {
    let intensity = try ProcessingController(scheduler: scheduler)
      .activate(presetDataSource: source).intensity
    XCTAssertNil(intensity.apply(0.5).failureNow)
    XCTAssertEqual(intensity.value, 0.5)
  }

  // MARK: Deactivation

  func test_deactivate_withoutASession_doesNothing() {
    let log = SessionLog()
    log.watch(controller.session, "session")
    controller.deactivate()
    controller.deactivate()
    XCTAssertEqual(log.events, ["session nil"])
  }

  func test_deactivate_setsSessionToNil_thenFailsPendingRequests() throws {
    let session = try controller.activate(presetDataSource: source)
    let intensity = session.intensity
    let device = ManualDevice(intensity)
    let log = SessionLog()
    let token = controller.session.sink { log.note($0 == nil ? "session gone" : "session") }
    log.watch(intensity.apply(0.1), "in flight")
    log.watch(intensity.apply(0.2), "queued")
    log.watch(intensity.synchronizeApplicators(), "synchronize")
    intensity.deliveryMode = .discrete(seconds: 1)
    log.watch(intensity.apply(0.3), "waiting")
    log.watch(intensity.$value, "value")
    log.watch(intensity.$updateState, "state")
    controller.deactivate()
    XCTAssertEqual(
      log.events,
      [
        "session", "value 1.0", "state applying(0.1)", "session gone",
        "state failed(0.1, The session has ended. Activate a new one.)",
        "state failed(0.3, The session has ended. Activate a new one.)",
        "in flight failed: The session has ended. Activate a new one.",
        "queued failed: The session has ended. Activate a new one.",
        "synchronize failed: The session has ended. Activate a new one.",
        "waiting failed: The session has ended. Activate a new one.",
      ])
    device.answer()
    scheduler.advance(by: .seconds(100))
    XCTAssertEqual(log.events.count, 10, "something came after the end")
    XCTAssertEqual(intensity.value, 1)
    XCTAssertNil(device.applicator.latestAppliedValue)
    _ = token
  }

  func test_deactivate_duringALoadAndAReport_failsBoth_andCancelsTheLoad() async throws {
    let calls = PendingCalls<Preset?>()
    let asked = PendingCalls<ParameterRecommendation>()
    controller.recommendationSource = AskingSource(calls: asked)
    let session = try controller.activate(
      presetDataSource: .custom(CallingLoader(calls: calls)))
    let load = session.preset.reload()
    let event = ListenerEvent.authenticated(listener: "somebody")
    let reports = [controller.report(event), controller.report(event)]
    await calls.begun(1)
    await asked.begun(1)
    controller.deactivate()
    guard case .sessionDeactivated = load.failureNow else { return XCTFail("the load goes on") }
    for report in reports {
      guard case .sessionDeactivated = report.failureNow else { return XCTFail("a report goes on") }
    }
    await calls.cancelled(0)
    await asked.cancelled(0)
    calls.answer(0, .success(nil))
    asked.answer(0, .success(ParameterRecommendation(isEnabled: true)))
    XCTAssertFalse(session.isEnabled.value)
    XCTAssertEqual(asked.count, 1)
  }

  func test_deactivate_whileInterruptingAndResolving_failsAllCalls() throws {
    let session = try controller.activate(presetDataSource: source)
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    device.answer()
    let log = SessionLog()
    log.watch(session.$isInterrupted, "interrupted")
    log.watch(session.interrupt(reason: "1"), "first")
    log.watch(session.interrupt(reason: "2"), "second")
    log.watch(session.resolve(interruption: "1"), "resolve")
    log.watch(session.isEnabled.apply(false), "value")
    controller.deactivate()
    device.answer()
    XCTAssertEqual(
      log.events,
      [
        "interrupted false",
        "value failed: Processing is interrupted. It can be switched on when the interruption ends.",
        "first failed: The session has ended. Activate a new one.",
        "second failed: The session has ended. Activate a new one.",
        "resolve failed: The session has ended. Activate a new one.",
      ])
    XCTAssertTrue(session.isEnabled.value)
  }

  func test_deactivate_duringAnInterruption_keepsTheAppliedValue() throws {
    let session = try controller.activate(presetDataSource: source)
    let device = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    session.interrupt(reason: "1")
    controller.deactivate()
    XCTAssertEqual(device.asked, [true, false])
    XCTAssertFalse(session.isEnabled.value)
    XCTAssertEqual(device.applicator.latestAppliedValue, false)
  }

  func test_deactivate_duringWithInterruption_doesNotStopTheBody() async throws {
    let session = try controller.activate(presetDataSource: source)
    let controller = controller
    let result = try await session.withInterruption(reason: "1") {
      controller.deactivate()
      return 5
    }
    XCTAssertEqual(result, 5)
  }

  func test_deactivate_fromInsideAnApplyHandler_failsThatSequence() throws {
    let session = try controller.activate(presetDataSource: source)
    let controller = controller
    let applicator = session.intensity.applicator().apply { _, result in
      controller.deactivate()
      result(.success)
    }
    guard case .sessionDeactivated = session.intensity.apply(0.5).failureNow else {
      return XCTFail("it succeeds")
    }
    XCTAssertEqual(session.intensity.value, 1)
    _ = applicator
  }

  func test_afterDeactivate_everyCallOnTheSessionFails() async throws {
    let session = try controller.activate(presetDataSource: source)
    session.intensity.apply(0.5)
    controller.deactivate()
    let failures: [ParameterError?] = [
      session.isEnabled.apply(true).failureNow, session.intensity.apply(0.5).failureNow,
      session.preset.apply(nil).failureNow, session.preset.reload().failureNow,
      session.intensity.synchronizeApplicators().failureNow,
      session.isEnabled.applicator(synchronizing: true).1.failureNow,
    ]
    XCTAssertEqual(
      failures.map { "\($0.map { "\($0)" } ?? "success")" },
      Array(repeating: "The session has ended. Activate a new one.", count: 6))
    XCTAssertFalse(session.intensity.flush())
    let calls = [session.interrupt(reason: "1"), session.resolve(interruption: "1")]
    for call in calls {
      guard case .sessionDeactivated = call.failureNow else { return XCTFail("it is done") }
    }
    do {
      try await session.withInterruption(reason: "1") { XCTFail("the body runs") }
      XCTFail("it does not throw")
    } catch ProcessingError.sessionDeactivated {}
    XCTAssertEqual(session.intensity.value, 0.5, "what is applied stays")
  }

  func test_deactivate_failsCallsMadeInsideItsFailureHandlers() throws {
    let session = try controller.activate(presetDataSource: source)
    let device = ManualDevice(session.isEnabled)
    let log = SessionLog()
    let token = session.isEnabled.apply(true).sink { _ in
      log.watch(session.intensity.apply(0.5), "intensity")
      log.watch(session.preset.reload(), "reload")
      log.watch(session.interrupt(reason: "1"), "interrupt")
    } receiveValue: { _ in
    }
    controller.deactivate()
    XCTAssertEqual(
      log.events,
      ["intensity", "reload", "interrupt"].map {
        "\($0) failed: The session has ended. Activate a new one."
      })
    _ = (token, device)
  }

  func test_deactivate_endsAsyncSequencesOfTheSession() async throws {
    let session = try controller.activate(presetDataSource: source)
    let intensities = session.intensity.$value.values
    let interrupted = session.$isInterrupted.values
    var reader = interrupted.makeAsyncIterator()
    let first = await reader.next(isolation: #isolation)
    XCTAssertEqual(first, false)
    controller.deactivate()
    let last = await reader.next(isolation: #isolation)
    XCTAssertNil(last)
    var seen: [Float] = []
    for await value in intensities { seen.append(value) }
    XCTAssertEqual(seen, [1])
  }

  func test_activate_afterDeactivate_startsWithDefaultValues() throws {
    let first = try controller.activate(presetDataSource: source)
    first.isEnabled.apply(true)
    first.interrupt(reason: "1")
    controller.deactivate()
    let second = try controller.activate(presetDataSource: source)
    XCTAssertFalse(second.isInterrupted)
    XCTAssertFalse(second.isEnabled.value)
    XCTAssertNil(second.isEnabled.apply(true).failureNow)
    XCTAssertFalse(first.isEnabled.value)
  }
}
