import Foundation
import HearingProcessing
import TestSupport
import XCTest

final class ProcessingSessionInterruptionsTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private lazy var controller = ProcessingController(scheduler: scheduler)
  private var session: ProcessingSession!

  override func setUpWithError() throws {
    session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
  }

  // MARK: Reasons

  func test_interrupt_disablesProcessing_thenPublishesIsInterrupted_thenItsResult() {
    let device = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    let log = watched()
    log.watch(session.interrupt(reason: "test"), "interrupt")
    XCTAssertEqual(
      log.events,
      [
        "enabled true", "interrupted false", "enabled false", "interrupted true",
        "interrupt = true", "interrupt done",
      ])
    XCTAssertEqual(device.asked, [true, false])
    XCTAssertEqual(session.interruptions, ["test"])
    XCTAssertEqual(session.interrupt(reason: "test").valueNow, true)
  }

  func test_interruptAndResolve_publishValueThenIsInterruptedThenResult() {
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    device.answer()
    let log = watched()
    log.watch(session.interrupt(reason: "test"), "interrupt")
    XCTAssertEqual(log.events, ["enabled true", "interrupted false"])
    device.answer()
    XCTAssertEqual(
      log.events,
      [
        "enabled true", "interrupted false", "enabled false", "interrupted true",
        "interrupt = true", "interrupt done",
      ])
    log.watch(session.resolve(interruption: "test"), "resolve")
    device.answer()
    XCTAssertEqual(
      log.events.dropFirst(6),
      ["enabled true", "interrupted false", "resolve = false", "resolve done"])
  }

  func test_interrupt_whileInterrupted_publishesTrue_andCallsNoApplicator() {
    let device = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    session.interrupt(reason: "a")
    let log = watched()
    for reason in ["a", "b"] {
      XCTAssertEqual(session.interrupt(reason: reason).valueNow, true)
    }
    XCTAssertEqual(log.events, ["enabled false", "interrupted true"])
    XCTAssertEqual(device.asked, [true, false])
    XCTAssertEqual(session.interruptions, ["a", "b"])
  }

  func test_interruptionReasons_canBeStringsOrUUIDs() {
    let id = UUID()
    let name = String("a name")
    session.interrupt(reason: name)
    session.interrupt(reason: "a name")
    session.interrupt(reason: name.dropLast(0))
    session.interrupt(reason: InterruptionReason(id))
    XCTAssertEqual(session.interruptions, ["a name", InterruptionReason(id)])
    XCTAssertEqual(session.resolve(interruption: id.uuidString).failureNow, .interruptionNotFound)
    XCTAssertEqual(session.resolve(interruption: InterruptionReason(id)).valueNow, true)
    XCTAssertEqual(session.resolve(interruption: name).valueNow, false)
  }

  func test_resolve_ofTheLastOfTwoReasons_restoresTheValue() {
    let device = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    session.interrupt(reason: "a")
    session.interrupt(reason: "b")
    XCTAssertEqual(session.resolve(interruption: "a").valueNow, true)
    XCTAssertTrue(session.isInterrupted)
    XCTAssertFalse(session.isEnabled.value)
    XCTAssertEqual(session.resolve(interruption: "b").valueNow, false)
    XCTAssertFalse(session.isInterrupted)
    XCTAssertTrue(session.isEnabled.value)
    XCTAssertEqual(device.asked, [true, false, true])
    XCTAssertEqual(session.interruptions, [])
  }

  func test_resolve_ofAnUnknownReason_failsWithInterruptionNotFound() {
    session.interrupt(reason: "a")
    guard case .interruptionNotFound = session.resolve(interruption: "b").failureNow else {
      return XCTFail("it is found")
    }
    XCTAssertTrue(session.isInterrupted)
  }

  func test_resolve_withoutInterruption_failsWithNotInterrupted() {
    guard case .notInterrupted = session.resolve(interruption: "a").failureNow else {
      return XCTFail("it is interrupted")
    }
    session.interrupt(reason: "a")
    session.resolve(interruption: "a")
    guard case .notInterrupted = session.resolve(interruption: "a").failureNow else {
      return XCTFail("it is interrupted")
    }
  }

  func test_resolve_whenIsEnabledWasFalse_restoresFalse() {
    let device = ManualDevice(session.isEnabled, automatic: .success)
    session.interrupt(reason: "a")
    session.resolve(interruption: "a")
    XCTAssertFalse(session.isEnabled.value)
    XCTAssertEqual(device.asked, [false])
  }

  // MARK: Pending sequences of isEnabled

  func test_interrupt_whileAValueIsBeingApplied_waits_andResolvingRestoresThatValue() {
    let device = ManualDevice(session.isEnabled)
    let log = watched()
    log.watch(session.isEnabled.apply(true), "apply")
    log.watch(session.interrupt(reason: "a"), "interrupt")
    XCTAssertEqual(device.asked, [true])
    device.answer()
    XCTAssertEqual(device.asked, [true, false])
    device.answer()
    XCTAssertEqual(
      log.events,
      [
        "enabled false", "interrupted false", "enabled true", "apply = true", "apply done",
        "enabled false", "interrupted true", "interrupt = true", "interrupt done",
      ])
    session.resolve(interruption: "a")
    device.answer()
    XCTAssertTrue(session.isEnabled.value)
  }

  func test_interruptDuringAFailingApply_remembersTheCommittedValue() {
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    session.interrupt(reason: "a")
    device.answer(.failure(Trouble()))
    XCTAssertEqual(device.asked, [true, false])
    device.answer()
    XCTAssertTrue(session.isInterrupted)
    session.resolve(interruption: "a")
    XCTAssertFalse(session.isEnabled.value)
  }

  func test_interrupt_failsQueuedAndLaterValuesOfIsEnabled() {
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    let queued = session.isEnabled.apply(false)
    let synchronization = session.isEnabled.synchronizeApplicators()
    session.interrupt(reason: "a")
    guard case .interrupted = queued.failureNow else { return XCTFail("it still waits") }
    guard case .interrupted = session.isEnabled.apply(true).failureNow else {
      return XCTFail("it is taken")
    }
    device.answer()
    XCTAssertNil(synchronization.outcome, "switching off goes before it")
    device.answer()
    XCTAssertEqual(synchronization.valueNow, false, "to synchronize stays allowed")
    XCTAssertTrue(session.isInterrupted)
    guard case .interrupted = session.isEnabled.apply(true).failureNow else {
      return XCTFail("it is taken")
    }
    XCTAssertEqual(session.intensity.apply(0.5).valueNow, 0.5, "only isEnabled is held")
  }

  func test_interrupt_failsADebouncedValue_andIgnoresTheDeliveryMode() {
    let device = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    session.isEnabled.deliveryMode = .discrete(seconds: 1)
    let waiting = session.isEnabled.apply(false)
    XCTAssertEqual(session.interrupt(reason: "a").valueNow, true)
    guard case .interrupted = waiting.failureNow else { return XCTFail("it still waits") }
    XCTAssertEqual(device.asked, [true, false])
    XCTAssertEqual(session.resolve(interruption: "a").valueNow, false)
    XCTAssertEqual(device.asked, [true, false, true])
    scheduler.advance(by: .seconds(10))
    XCTAssertEqual(device.asked, [true, false, true])
  }

  func test_interruptAndResolve_inLatestMode_areNotSuperseded() {
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.deliveryMode = .latest
    session.isEnabled.apply(true)
    let interrupt = session.interrupt(reason: "a")
    let resolve = session.resolve(interruption: "a")
    for _ in 0..<3 { device.answer() }
    XCTAssertEqual(interrupt.valueNow, true)
    XCTAssertEqual(resolve.valueNow, false)
    XCTAssertEqual(device.asked, [true, false, true])
  }

  func test_synchronizeApplicators_duringAnInterruption_setsNewApplicatorsToFalse() {
    session.isEnabled.apply(true)
    session.interrupt(reason: "a")
    let device = ManualDevice(session.isEnabled, automatic: .success)
    XCTAssertEqual(session.isEnabled.synchronizeApplicators().valueNow, false)
    XCTAssertEqual(device.asked, [false])
  }

  func test_synchronizingApplicator_duringAnInterruption_fails_andIsSetToFalse() {
    session.isEnabled.apply(true)
    session.interrupt(reason: "a")
    let (applicator, result) = session.isEnabled.applicator(synchronizing: true)
    guard case .interrupted = result.failureNow else { return XCTFail("it is taken") }
    XCTAssertEqual(applicator.latestAppliedValue, true)
    let asked = Recorder<Bool>()
    _ = applicator.canApply { _ in true }
    XCTAssertEqual(applicator.latestAppliedValue, true)
    _ = applicator.apply { value, answer in
      asked.record(value)
      answer(.success)
    }
    XCTAssertEqual(asked.events, [false])
    XCTAssertEqual(applicator.latestAppliedValue, false)
    XCTAssertFalse(session.isEnabled.value)
    session.resolve(interruption: "a")
    XCTAssertEqual(asked.events, [false, true])
  }

  func test_synchronizingApplicator_whileAnInterruptionIsInFlight_isSetToFalse() {
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    device.answer()
    session.interrupt(reason: "a")
    let (applicator, result) = session.isEnabled.applicator(synchronizing: true)
    guard case .interrupted = result.failureNow else { return XCTFail("it is taken") }
    _ = applicator.apply { _, answer in answer(.success) }
    device.answer()
    XCTAssertEqual(applicator.latestAppliedValue, false)
    XCTAssertTrue(session.isInterrupted)
  }

  // MARK: Applicators that do not answer

  func test_interrupt_duringAnUnansweredCall_disablesProcessingAfterOneSecond() {
    let processor = ManualDevice(session.isEnabled, automatic: .success)
    let headphone = ManualDevice(session.applicator().timeout(0), automatic: .success)
    session.isEnabled.apply(true)
    headphone.automatic = nil
    let intensity = session.intensity.apply(0.5)
    let interrupt = session.interrupt(reason: "a")
    session.interrupt(reason: "b")
    scheduler.advance(by: .seconds(0.9))
    XCTAssertEqual(processor.asked, [true])
    scheduler.advance(by: .seconds(0.1))
    XCTAssertEqual(intensity.failureNow, .interrupted)
    XCTAssertEqual(processor.asked, [true, false])
    headphone.answer()
    XCTAssertNil(interrupt.outcome, "the late answer is ignored")
    headphone.answer()
    XCTAssertEqual(interrupt.valueNow, true)
    XCTAssertEqual(headphone.asked.map(\.isEnabled), [true, true, false])
    XCTAssertEqual(session.values, SessionValues())
  }

  func test_interrupt_callsApplicatorsWithAPendingAnswerLast() {
    let headphone = ManualDevice(session.isEnabled, automatic: .success)
    let processor = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    headphone.automatic = nil
    _ = headphone.applicator.timeout(20)
    let log = SessionLog()
    let added = session.isEnabled.applicator().apply { value, result in
      log.note("added \(value)")
      result(.success)
    }
    session.isEnabled.apply(false)
    let interrupt = session.interrupt(reason: "a")
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(headphone.asked, [true, false, false])
    XCTAssertEqual(processor.asked, [true, false], "while the headphone does not answer")
    XCTAssertEqual(log.events, ["added false"])
    XCTAssertNil(interrupt.outcome)
    headphone.answer()
    headphone.answer()
    XCTAssertEqual(interrupt.valueNow, true)
    withExtendedLifetime(added) {}
  }

  func test_interrupt_whileAHandlerRunsOverOneSecond_disablesProcessingWhenTheHandlerReturns() {
    let (session, scheduler) = (session!, scheduler)
    let processor = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    let calls = Recorder<Float>()
    let answers = Holder<@Sendable (ApplicationResult) -> Void>()
    let applicator = session.applicator().apply { values, result in
      calls.record(values.intensity)
      guard values.isEnabled else { return result(.success) }
      session.interrupt(reason: "a")
      scheduler.advance(by: .seconds(1))
      answers.value = result
    }
    XCTAssertEqual(session.intensity.apply(0.5).failureNow, .interrupted)
    XCTAssertEqual(processor.asked, [true, false])
    XCTAssertEqual(calls.events, [0.5, 1])
    XCTAssertTrue(session.isInterrupted)
    withExtendedLifetime(applicator) {}
  }

  func test_interrupt_whileResolveRestoresAValue_waitsForTheRestoration() {
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    device.answer()
    session.interrupt(reason: "a")
    device.answer()
    let resolve = session.resolve(interruption: "a")
    session.interrupt(reason: "b")
    scheduler.advance(by: .seconds(9))
    XCTAssertNil(resolve.outcome)
    device.answer()
    XCTAssertEqual(resolve.valueNow, false)
    XCTAssertEqual(device.asked, [true, false, true, false])
  }

  // MARK: Failures

  func test_interrupt_whoseApplicatorFails_returnsAFailure_butTheSessionIsInterrupted() {
    let device = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    device.isWilling = false
    let log = watched()
    log.watch(session.interrupt(reason: "a"), "interrupt")
    XCTAssertEqual(
      log.events,
      [
        "enabled true", "interrupted false", "enabled false", "interrupted true",
        "interrupt failed: An applicator cannot apply false now.",
      ])
    XCTAssertEqual(session.interruptions, ["a"])
    XCTAssertEqual(session.isEnabled.apply(false).failureNow, .interrupted)
    device.isWilling = true
    XCTAssertEqual(session.interrupt(reason: "a").valueNow, true)
    XCTAssertEqual(device.asked, [true, false])
    XCTAssertEqual(session.resolve(interruption: "a").valueNow, false)
    XCTAssertTrue(session.isEnabled.value, "the value before the first interruption")
  }

  func test_interrupt_callsEveryApplicator_andTheErrorNamesTheFailedApplicators() {
    let devices = ["first", "second", "third", "fourth"].map { name in
      (name, ManualDevice(session.isEnabled, named: name, automatic: .success))
    }
    session.isEnabled.apply(true)
    devices[0].1.automatic = .failure(Trouble())
    devices[2].1.isWilling = false
    let failure = session.interrupt(reason: "a").failureNow
    guard case .parameter(.cannotApply(let attempt)) = failure else {
      return XCTFail("\(String(describing: failure))")
    }
    XCTAssertEqual(attempt, Attempt(applicator: "third, first", value: "false"))
    XCTAssertEqual(devices[1].1.asked, [true, false])
    XCTAssertEqual(devices[3].1.asked, [true, false])
    XCTAssertTrue(session.isInterrupted)
    XCTAssertFalse(session.isEnabled.value)
  }

  func test_interrupt_whoseApplicatorTimesOut_interruptsTheSession_andTheNextCallRetries() {
    let device = ManualDevice(session.isEnabled)
    _ = device.applicator.timeout(2)
    session.isEnabled.apply(true)
    device.answer()
    let interrupt = session.interrupt(reason: "a")
    XCTAssertEqual(session.isEnabled.apply(true).failureNow, .interrupted)
    // The time limit of the first call is one second. The time limit of the second call is the
    // time-out of the applicator.
    scheduler.advance(by: .seconds(3))
    XCTAssertEqual(
      interrupt.failureNow, .parameter(.applyTimeoutExceeded(Attempt(value: "false"))))
    XCTAssertTrue(session.isInterrupted)
    XCTAssertFalse(session.isEnabled.value)
    let again = session.interrupt(reason: "b")
    XCTAssertEqual(device.asked, [true, false, false, false], "its state is unknown")
    for _ in 1...3 { device.answer() }
    XCTAssertEqual(again.valueNow, true)
    XCTAssertEqual(session.interruptions, ["a", "b"])
  }

  func test_resolve_whoseApplicatorFails_staysInterrupted_andCanBeRepeated() {
    let device = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    session.interrupt(reason: "a")
    device.automatic = .failure(Trouble())
    guard
      case .parameter(.applyFailed(let error, _)) = session.resolve(interruption: "a").failureNow
    else { return XCTFail("it is resolved") }
    XCTAssertTrue(error is Trouble)
    XCTAssertTrue(session.isInterrupted)
    XCTAssertEqual(session.interruptions, ["a"])
    guard case .interrupted = session.isEnabled.apply(true).failureNow else {
      return XCTFail("it is taken")
    }
    device.automatic = .success
    XCTAssertEqual(session.resolve(interruption: "a").valueNow, false)
    XCTAssertTrue(session.isEnabled.value)
  }

  // MARK: Overlapping calls

  func test_overlappingInterruptAndResolveCalls_areExecutedInOrder() {
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    let log = watched()
    log.watch(session.interrupt(reason: "a"), "+a")
    log.watch(session.interrupt(reason: "b"), "+b")
    log.watch(session.resolve(interruption: "a"), "-a")
    log.watch(session.resolve(interruption: "c"), "-c")
    log.watch(session.resolve(interruption: "b"), "-b")
    log.watch(session.resolve(interruption: "b"), "-b again")
    log.watch(session.interrupt(reason: "d"), "+d")
    for _ in 0..<4 { device.answer() }
    XCTAssertEqual(
      log.events,
      [
        "enabled false", "interrupted false", "enabled true", "enabled false",
        "interrupted true", "+a = true", "+a done", "+b = true", "+b done", "-a = true",
        "-a done", "-c failed: The session is not interrupted for this reason.",
        "enabled true", "interrupted false", "-b = false", "-b done",
        "-b again failed: The session is not interrupted.",
        "enabled false", "interrupted true", "+d = true", "+d done",
      ])
    XCTAssertEqual(device.asked, [true, false, true, false])
  }

  func test_interruptAndResolve_insideSubscribers_areExecutedInOrder() {
    let session = session!
    let log = watched()
    let inner = session.$isInterrupted.sink { isInterrupted in
      guard isInterrupted else { return }
      log.note("resolving")
      log.watch(session.resolve(interruption: "a"), "resolve")
    }
    log.watch(session.interrupt(reason: "a"), "interrupt")
    XCTAssertEqual(
      log.events,
      [
        "enabled false", "interrupted false", "interrupted true", "resolving",
        "interrupted false", "resolve = false", "resolve done", "interrupt = true",
        "interrupt done",
      ])
    XCTAssertFalse(session.isInterrupted)
    _ = inner
  }

  func test_interrupt_isPublished_evenIfAnotherThreadResolvesTheInterruption() {
    let session = session!
    for round in 0..<200 {
      let seen = Recorder<Bool>()
      let token = session.$isInterrupted.sink { seen.record($0) }
      DispatchQueue.concurrentPerform(iterations: 2) { side in
        if side == 0 {
          session.interrupt(reason: "\(round)")
        } else {
          while !session.interruptions.contains(InterruptionReason("\(round)")) {}
          session.resolve(interruption: "\(round)")
        }
      }
      XCTAssertEqual(seen.events, [false, true, false])
      token.cancel()
    }
  }

  // MARK: withInterruption

  func test_withInterruption_disablesProcessingWhileTheBodyRuns() async throws {
    let session = session!
    session.isEnabled.apply(true)
    let seen = try await session.withInterruption(reason: "hearing test") {
      (session.isInterrupted, session.isEnabled.value, session.interruptions.map { "\($0)" })
    }
    XCTAssertTrue(seen.0)
    XCTAssertFalse(seen.1)
    XCTAssertEqual(seen.2, ["hearing test"])
    XCTAssertFalse(session.isInterrupted)
    XCTAssertTrue(session.isEnabled.value)
  }

  func test_withInterruption_whoseBodyThrows_resolvesAndRethrows() async {
    let session = session!
    do {
      try await session.withInterruption(reason: "1") { throw Trouble() }
      XCTFail("it does not throw")
    } catch {
      XCTAssertTrue(error is Trouble)
    }
    XCTAssertFalse(session.isInterrupted)
  }

  func test_withInterruption_nestedWithEqualReasons_staysInterruptedUntilTheOuterBodyEnds()
    async throws
  {
    let session = session!
    session.interrupt(reason: "same")
    try await session.withInterruption(reason: "same") {
      XCTAssertEqual(session.resolve(interruption: "same").valueNow, true)
      try await session.withInterruption(reason: "same") {
        XCTAssertEqual(session.interruptions.count, 2)
      }
      XCTAssertTrue(session.isInterrupted)
      XCTAssertEqual(session.interruptions.count, 1)
      XCTAssertEqual(session.interruptions.map(\.description), ["same"])
    }
    XCTAssertFalse(session.isInterrupted)
  }

  func test_withInterruption_thatCannotInterrupt_throwsAndDoesNotRunTheBody() async {
    let device = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    device.isWilling = false
    do {
      try await session.withInterruption(reason: "1") { XCTFail("the body runs") }
      XCTFail("it does not throw")
    } catch {
      guard case ProcessingError.parameter(.cannotApply) = error else {
        return XCTFail("\(error)")
      }
    }
    XCTAssertFalse(session.isInterrupted, "its reason is resolved")
  }

  func test_withInterruption_thatCannotRestore_throwsItsError_orTheErrorOfTheBody() async throws {
    let device = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    do {
      try await session.withInterruption(reason: "1") { device.automatic = .failure(Trouble()) }
      XCTFail("it does not throw")
    } catch {
      XCTAssertEqual(
        error as? ProcessingError, .parameter(.applyFailed(Trouble(), Attempt(value: "true"))))
    }
    XCTAssertTrue(session.isInterrupted)
    device.automatic = .success
    for reason in session.interruptions { session.resolve(interruption: reason) }
    do {
      try await session.withInterruption(reason: "2") {
        device.automatic = .failure(Trouble())
        throw CancellationError()
      }
      XCTFail("it does not throw")
    } catch {
      XCTAssertTrue(error is CancellationError, "\(error)")
    }
    XCTAssertTrue(session.isInterrupted)
  }

  func test_withInterruption_inACancelledTask_runsTheBodyWhileInterrupted() async throws {
    let session = session!
    let start = PendingCalls<Void>()
    let task = Task {
      try? await start.next()
      return try await session.withInterruption(reason: "1") {
        (session.isInterrupted, Task.isCancelled)
      }
    }
    await start.begun(1)
    task.cancel()
    start.answer(0, .success(()))
    let seen = try await task.value
    XCTAssertTrue(seen.0)
    XCTAssertTrue(seen.1)
    XCTAssertFalse(session.isInterrupted)
  }

  func test_withInterruption_whoseTaskIsCancelled_waitsUntilTheValueIsRestored() async throws {
    let session = session!
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    device.answer()
    let body = PendingCalls<Void>()
    let task = Task {
      try await session.withInterruption(reason: "1") {
        try await body.next()
        try Task.checkCancellation()
      }
    }
    await device.wasAsked(2)
    device.answer()
    await body.begun(1)
    task.cancel()
    body.answer(0, .success(()))
    await device.wasAsked(3)
    XCTAssertTrue(session.isInterrupted)
    device.answer()
    do {
      try await task.value
      XCTFail("it does not throw")
    } catch {
      XCTAssertTrue(error is CancellationError)
    }
    XCTAssertFalse(session.isInterrupted)
    XCTAssertTrue(session.isEnabled.value)
  }

  private func watched() -> SessionLog {
    let log = SessionLog()
    log.watch(session.isEnabled.$value, "enabled")
    log.watch(session.$isInterrupted, "interrupted")
    return log
  }
}
