import HearingProcessing
import TestSupport
import XCTest

/// Tests that no applicator keeps the value true for `isEnabled` while a session is interrupted.
final class NothingAmplifiesTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private lazy var controller = ProcessingController(scheduler: scheduler)
  private var session: ProcessingSession!
  private var first: ManualDevice<Bool>!
  private var second: ManualDevice<Bool>!

  override func setUpWithError() throws {
    session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
    first = ManualDevice(session.isEnabled, automatic: .success)
    second = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    session.interrupt(reason: "test")
  }

  func test_resolve_thatFailsAtTheSecondApplicator_resetsTheFirstToFalse() {
    second.automatic = .failure(Trouble())
    let resolved = session.resolve(interruption: "test")
    XCTAssertEqual(
      resolved.failureNow, .parameter(.applyFailed(Trouble(), Attempt(value: "true"))))
    XCTAssertEqual(first.asked, [true, false, true, false])
    XCTAssertEqual(first.applicator.latestAppliedValue, false)
    XCTAssertTrue(session.isInterrupted)
    XCTAssertEqual(session.interrupt(reason: "test").valueNow, true)
    XCTAssertEqual(first.asked.count, 4, "a repeated reason touches nothing")
  }

  func test_resolve_thatTimesOutAtTheSecondApplicator_resetsBothToFalse() {
    second.automatic = nil
    let resolved = session.resolve(interruption: "test")
    scheduler.advance(by: .seconds(10))
    XCTAssertEqual(second.asked, [true, false, true, false], "the state of the second is unknown")
    XCTAssertNil(resolved.failureNow, "settles when all are at false")
    second.answer()
    second.answer()
    XCTAssertEqual(
      resolved.failureNow, .parameter(.applyTimeoutExceeded(Attempt(value: "true"))))
    XCTAssertEqual(first.asked.last, false)
    XCTAssertEqual(session.interrupt(reason: "other").valueNow, true)
  }

  func test_failedResetToFalse_isRetriedByEveryInterruptCall_untilItSucceeds() async {
    second.automatic = .failure(Trouble())
    let failing = first
    let firstRefuses = Holder(true)
    let refusing = session.isEnabled.applicator(named: "refusing").apply { value, result in
      if value {
        result(.success)
      } else {
        result(firstRefuses.value == true ? .failure(Trouble()) : .success)
      }
    }
    // The third applicator accepts true. After that, the fourth applicator fails.
    let fourth = session.isEnabled.applicator().apply { value, result in
      result(value ? .failure(Trouble()) : .success)
    }
    second.automatic = .success
    session.resolve(interruption: "test")
    XCTAssertEqual(refusing.latestAppliedValue, true)
    XCTAssertEqual(failing?.applicator.latestAppliedValue, false, "a failure stops nobody else")
    let attempt = Attempt(applicator: "refusing", value: "false")
    for reason in ["test", "new"] {
      XCTAssertEqual(
        session.interrupt(reason: reason).failureNow, .parameter(.applyFailed(Trouble(), attempt)))
    }
    XCTAssertEqual(session.interruptions, ["test", "new"], "recorded in any case")
    do {
      try await session.withInterruption(reason: "body") { XCTFail("the body runs") }
      XCTFail("it succeeds")
    } catch {
      XCTAssertEqual(
        error as? ProcessingError, .parameter(.applyFailed(Trouble(), attempt)))
    }
    firstRefuses.value = false
    XCTAssertEqual(session.interrupt(reason: "new").valueNow, true)
    XCTAssertEqual(refusing.latestAppliedValue, false)
    XCTAssertEqual(session.interruptions, ["test", "new"])
    withExtendedLifetime(fourth) {}
  }

  /// For example, a headphone connects during the interruption. Another app has switched on its
  /// processing before.
  func test_applicatorsWithUnknownValuesThatJoinWhileInterrupted_areToldFalse() {
    let silent = session.isEnabled.applicator()
    let fresh = ManualDevice(session.isEnabled, automatic: .success)
    let whole = ManualDevice(session.applicator(), automatic: .success)
    XCTAssertEqual(fresh.asked, [false])
    XCTAssertEqual(whole.asked.map(\.isEnabled), [false])
    let refusing = ManualDevice(
      session.isEnabled, named: "refusing", automatic: .failure(Trouble()))
    XCTAssertEqual(
      session.interrupt(reason: "other").failureNow,
      .parameter(.applyFailed(Trouble(), Attempt(applicator: "refusing", value: "false"))))
    withExtendedLifetime((silent, refusing)) {}
  }

  /// Resolves the interruption. After that, the first device no longer answers, and the session is
  /// interrupted again.
  private func interruptWithoutAnswerOfTheFirst() -> ResultPublisher<Bool, ProcessingError> {
    session.resolve(interruption: "test")
    first.automatic = nil
    return session.interrupt(reason: "out of range")
  }

  /// For example, the first device is a headphone out of range. The processor still amplifies until
  /// it is switched off.
  func test_deviceWithoutAnswer_delaysOthersByAtMostOneSecond_andIsCalledASecondTime() {
    let processor = ManualDevice(session.applicator(), automatic: .success)
    let result = interruptWithoutAnswerOfTheFirst()
    scheduler.advance(by: .milliseconds(999))
    XCTAssertEqual(second.asked.last, true)
    scheduler.advance(by: .milliseconds(1))
    XCTAssertEqual(second.asked.last, false)
    XCTAssertEqual(processor.asked.last?.isEnabled, false)
    XCTAssertEqual(first.asked, [true, false, true, false, false])
    first.answer(.failure(Trouble()))
    XCTAssertNil(result.outcome, "a late answer counts for nothing")
    scheduler.advance(by: .seconds(9))
    first.answer()
    XCTAssertEqual(result.valueNow, true)
    XCTAssertEqual(first.applicator.latestAppliedValue, false)
  }

  func test_applicatorThatJoinsWhileADeviceDoesNotAnswer_isSwitchedOffWithinOneSecond() {
    let result = interruptWithoutAnswerOfTheFirst()
    scheduler.advance(by: .seconds(1.5))
    let asked = Recorder<Bool>()
    let joined = session.isEnabled.applicator(at: true) { value, result in
      asked.record(value)
      result(.success)
    }
    XCTAssertEqual(asked.events, [])
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(asked.events, [false])
    XCTAssertEqual(
      result.failureNow, .parameter(.applyTimeoutExceeded(Attempt(value: "false"))))
    XCTAssertTrue(session.isInterrupted)
    XCTAssertEqual(first.asked, [true, false, true, false, false, false])
    withExtendedLifetime(joined) {}
  }

  func test_deviceWithAShortTimeout_isAlsoCalledASecondTime() {
    _ = first.applicator.timeout(0.5)
    let result = interruptWithoutAnswerOfTheFirst()
    scheduler.advance(by: .seconds(0.5))
    XCTAssertEqual(first.asked.suffix(2), [false, false])
    for _ in 1...2 { first.answer() }
    XCTAssertEqual(result.valueNow, true)
  }

  func test_deviceWithoutAnswerAndWithoutTimeout_doesNotPreventTheInterruption() {
    _ = first.applicator.timeout(0)
    let result = interruptWithoutAnswerOfTheFirst()
    scheduler.advance(by: .seconds(11))
    XCTAssertEqual(
      result.failureNow, .parameter(.applyTimeoutExceeded(Attempt(value: "false"))))
    XCTAssertTrue(session.isInterrupted)
    XCTAssertEqual(second.asked.last, false)
  }

  func test_applicatorRegisteredWithTheValueTrueWhileInterrupted_isResetToFalse() {
    let asked = Recorder<String>()
    let complete = session.isEnabled.applicator(at: true) { value, result in
      asked.record("complete \(value)")
      result(.success)
    }
    XCTAssertEqual(asked.events, ["complete false"])
    XCTAssertEqual(complete.latestAppliedValue, false)
    let failing = session.isEnabled.applicator(at: true) { value, result in
      asked.record("failing \(value)")
      result(.failure(Trouble()))
    }
    XCTAssertEqual(failing.latestAppliedValue, true)
    _ = failing.apply { value, result in
      asked.record("replaced \(value)")
      result(.success)
    }
    XCTAssertEqual(failing.latestAppliedValue, false)
    XCTAssertEqual(asked.events, ["complete false", "failing false", "replaced false"])
    XCTAssertEqual(first.asked, [true, false], "who is at false is not asked again")
  }

  func test_interruptions_passedToResolve_endTheInterruption() {
    session.interrupt(reason: "7")
    for reason in session.interruptions { session.resolve(interruption: reason) }
    XCTAssertFalse(session.isInterrupted)
    XCTAssertEqual(session.interruptions, [])
    session.interrupt(reason: InterruptionReason("wrapped"))
    XCTAssertEqual(session.resolve(interruption: "wrapped").valueNow, false)
  }

  func test_sessionReleasedWhileInterrupted_rejectsValuesOfIsEnabled_andAcceptsOthers() throws {
    let (isEnabled, intensity) = (session.isEnabled, session.intensity)
    weak let released = session
    session = nil
    controller = ProcessingController(scheduler: scheduler)
    XCTAssertNil(released)
    XCTAssertEqual(isEnabled.apply(true).failureNow, .interrupted)
    XCTAssertEqual(intensity.apply(0.5).valueNow, 0.5)
  }

  func test_sessionReleasedWithoutInterruption_acceptsValuesOfIsEnabled() throws {
    session.resolve(interruption: "test")
    let isEnabled = session.isEnabled
    session = nil
    controller = ProcessingController(scheduler: scheduler)
    XCTAssertEqual(isEnabled.apply(false).valueNow, false)
  }
}
