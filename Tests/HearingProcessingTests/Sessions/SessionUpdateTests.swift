import Foundation
import HearingProcessing
import TestSupport
import XCTest

/// Tests `session.update`, and applicators of the whole session.
final class SessionUpdateTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private lazy var controller = ProcessingController(scheduler: scheduler)
  private var session: ProcessingSession!
  private var preset: Preset?

  override func setUpWithError() throws {
    preset = try Fitting.techLevel(1).preset(for: HearingProfile(left: .n2))
    session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
  }

  private func updateAll() -> ResultPublisher<SessionValues, ParameterError> {
    session.update { [preset] in $0 = SessionValues(isEnabled: true, intensity: 0.5, preset: preset)
    }
  }

  func test_update_commitsAllValuesTogether_andPublishesOnce() throws {
    let log = SessionLog()
    let seen = Recorder<SessionValues>()
    let session = try XCTUnwrap(session)
    let all = session.$values.sink { values in
      seen.record(values)
      log.note("values \(values.intensity)")
    }
    let tokens = [
      session.preset.$value.sink { _ in log.note("preset \(session.values.isEnabled)") },
      session.intensity.$value.sink { log.note("intensity \($0) \(session.isEnabled.value)") },
      session.isEnabled.$value.sink { log.note("isEnabled \($0) \(session.intensity.value)") },
    ]
    let wanted = SessionValues(isEnabled: true, intensity: 0.5, preset: preset)
    let result = updateAll()
    log.watch(result.map { "\($0 == wanted)" }, "result")
    XCTAssertEqual(
      log.events,
      [
        "values 1.0", "preset false", "intensity 1.0 false", "isEnabled false 1.0",
        "values 0.5", "preset true", "intensity 0.5 true", "isEnabled true 0.5", "result = true",
        "result done",
      ])
    XCTAssertEqual(seen.events, [SessionValues(), wanted])
    XCTAssertEqual(session.values, wanted)
    withExtendedLifetime((all, tokens)) {}
  }

  func test_values_arePublishedAfterEachChangeOfAParameter() {
    let seen = Recorder<Float>()
    let token = session.$values.sink { seen.record($0.intensity) }
    session.intensity.apply(0.5)
    session.intensity.apply(0.25)
    session.isEnabled.apply(true)
    XCTAssertEqual(seen.events, [1, 0.5, 0.25, 0.25])
    XCTAssertEqual(session.values, SessionValues(isEnabled: true, intensity: 0.25))
    token.cancel()
  }

  func test_update_callsEveryCanApply_thenEveryApply_withTheSessionApplicatorLast() throws {
    let log = SessionLog()
    let session = try XCTUnwrap(session)
    let applicators: [any Sendable] = [
      log.noting(session.applicator(), "whole") { "\($0.intensity) \($0.isEnabled)" },
      log.noting(session.isEnabled.applicator(), "isEnabled") { "\($0)" },
      log.noting(session.intensity.applicator(), "intensity") { "\($0)" },
      session.preset.applicator().apply { _, result in
        log.note("preset")
        result(.success)
      },
    ]
    XCTAssertNotNil(updateAll().valueNow)
    session.update { values in
      values.isEnabled = false
      values.intensity = 0.25
    }
    XCTAssertEqual(
      log.events,
      [
        "can intensity", "can isEnabled", "can whole",
        "preset", "intensity 0.5", "isEnabled true", "whole 0.5 true",
        "can isEnabled", "can intensity", "can whole",
        "isEnabled false", "intensity 0.25", "whole 0.25 false",
      ])
    withExtendedLifetime(applicators) {}
  }

  func test_update_withOneRejectedValue_changesNothing() {
    let whole = ManualDevice(session.applicator(named: "headphone"), automatic: .success)
    let enabled = ManualDevice(session.isEnabled, automatic: .success)
    let seen = Recorder<SessionValues>()
    let token = session.$values.sink { seen.record($0) }
    enabled.isWilling = false
    XCTAssertEqual(updateAll().failureNow, .cannotApply(Attempt(value: "true")))
    let invalid = session.update { values in
      values.isEnabled = true
      values.intensity = 2
    }
    XCTAssertEqual(invalid.failureNow, .invalidValue("2.0"))
    let noNumber = session.update { $0.intensity = .nan }
    XCTAssertEqual(noNumber.failureNow, .invalidValue("nan"))
    whole.isWilling = false
    enabled.isWilling = true
    guard case .cannotApply(let attempt)? = updateAll().failureNow else {
      return XCTFail("the whole session's applicator refuses")
    }
    XCTAssertEqual(attempt.applicator, "headphone")
    XCTAssertEqual([whole.asked.count, enabled.asked.count], [0, 0])
    XCTAssertEqual(session.values, SessionValues())
    XCTAssertEqual(seen.events.count, 1)
    token.cancel()
  }

  func test_update_failingAtTheLastApplicator_commitsNothing_andSynchronizingReverts() {
    let intensity = ManualDevice(session.intensity, automatic: .success)
    let whole = ManualDevice(session.applicator(), automatic: .failure(Trouble()))
    guard case .applyFailed? = updateAll().failureNow else { return XCTFail("it fails") }
    XCTAssertEqual(session.values, SessionValues())
    XCTAssertEqual(intensity.applicator.latestAppliedValue, 0.5)
    XCTAssertEqual(
      session.intensity.updateState.failedValue, 0.5, "the intensity has failed too")
    whole.automatic = .success
    XCTAssertEqual(session.intensity.synchronizeApplicators().valueNow, 1)
    XCTAssertEqual(intensity.asked, [0.5, 1])
    XCTAssertEqual(whole.asked.last, SessionValues())
  }

  func test_apply_ofOneParameter_callsTheSessionApplicatorOnce() {
    let whole = ManualDevice(session.applicator(), automatic: .success)
    XCTAssertEqual(session.intensity.apply(0.5).valueNow, 0.5)
    XCTAssertEqual(session.isEnabled.apply(true).valueNow, true)
    XCTAssertEqual(session.isEnabled.apply(true).valueNow, true)
    XCTAssertEqual(
      whole.asked,
      [SessionValues(intensity: 0.5), SessionValues(isEnabled: true, intensity: 0.5)])
  }

  func test_update_withoutChange_updatesAnOutOfDateSessionApplicatorOnce() {
    XCTAssertEqual(session.update { _ in }.valueNow, SessionValues())
    let whole = ManualDevice(session.applicator(), automatic: .success)
    XCTAssertEqual(session.update { _ in }.valueNow, SessionValues())
    XCTAssertEqual(session.update { _ in }.valueNow, SessionValues())
    XCTAssertEqual(whole.asked, [SessionValues()])
  }

  func test_update_startsFromTheLastRequestedValues_andSupersedesDebouncedValues() {
    let slow = ManualDevice(session.intensity)
    session.intensity.apply(0.25)
    session.isEnabled.deliveryMode = .discrete(seconds: 1)
    let waiting = session.isEnabled.apply(true)
    let base = Recorder<SessionValues>()
    let unrelated = session.update { values in
      base.record(values)
      values.preset = preset
    }
    XCTAssertEqual(base.events, [SessionValues(isEnabled: true, intensity: 0.25)])
    XCTAssertNotNil(unrelated.valueNow, "an update waits for its own parameters only")
    let update = session.update { values in
      base.record(values)
      values.isEnabled = false
      values.intensity += 0.25
    }
    XCTAssertEqual(waiting.failureNow, .superseded)
    XCTAssertNil(update.outcome)
    slow.answer()
    slow.answer()
    XCTAssertEqual(
      update.valueNow, SessionValues(isEnabled: false, intensity: 0.5, preset: preset))
    XCTAssertEqual(slow.asked, [0.25, 0.5])
  }

  func test_update_inTheQueue_isNeverSuperseded_evenInLatestMode() {
    session.intensity.deliveryMode = .latest
    let slow = ManualDevice(session.intensity)
    session.intensity.apply(0.25)
    let overtaken = session.intensity.apply(0.3)
    let update = session.update { $0.intensity = 0.5 }
    session.intensity.apply(0.6)
    let last = session.intensity.apply(0.75)
    XCTAssertEqual(overtaken.failureNow, .superseded)
    for _ in 0..<3 { slow.answer() }
    XCTAssertEqual(update.valueNow?.intensity, 0.5)
    XCTAssertEqual(last.valueNow, 0.75)
    XCTAssertEqual(slow.asked, [0.25, 0.5, 0.75])
  }

  func test_latestMode_withSessionApplicator_supersedesQueuedValuesOfOneParameter() {
    session.intensity.deliveryMode = .latest
    let whole = ManualDevice(session.applicator())
    session.intensity.apply(0.25)
    let overtaken = session.intensity.apply(0.5)
    let enabled = session.isEnabled.apply(true)
    let last = session.intensity.apply(0.75)
    XCTAssertEqual(overtaken.failureNow, .superseded)
    for _ in 0..<3 { whole.answer() }
    XCTAssertEqual(enabled.valueNow, true)
    XCTAssertEqual(last.valueNow, 0.75)
    XCTAssertEqual(whole.asked.map(\.intensity), [0.25, 0.25, 0.75])
  }

  func test_sequences_withSessionApplicator_runOneAtATime_inOrderOfCalls() {
    let enabled = ManualDevice(session.isEnabled)
    let intensity = ManualDevice(session.intensity)
    let whole = ManualDevice(session.applicator(), automatic: .success)
    session.isEnabled.apply(true)
    session.intensity.apply(0.5)
    let update = session.update { $0.intensity = 0.25 }
    XCTAssertEqual([enabled.asked.count, intensity.asked.count], [1, 0])
    enabled.answer()
    XCTAssertEqual(intensity.asked, [0.5])
    intensity.answer()
    intensity.answer()
    XCTAssertEqual(update.valueNow, SessionValues(isEnabled: true, intensity: 0.25))
    XCTAssertEqual(whole.asked.map(\.intensity), [1, 0.5, 0.25])
  }

  func test_interrupt_runsBeforeQueuedValues_andFailsUpdatesThatEnableProcessing() {
    let whole = ManualDevice(session.applicator())
    session.intensity.apply(0.5)
    let later = session.intensity.apply(0.25)
    let enabling = session.update { values in
      values.isEnabled = true
      values.intensity = 0.75
    }
    let interrupted = session.interrupt(reason: "test")
    XCTAssertEqual(enabling.failureNow, .interrupted)
    XCTAssertEqual(session.update { $0.isEnabled = true }.failureNow, .interrupted)
    whole.answer()
    XCTAssertEqual(
      interrupted.valueNow, true, "false goes before the intensity that was asked for earlier")
    XCTAssertNil(later.outcome)
    whole.answer()
    XCTAssertEqual(later.valueNow, 0.25)
    XCTAssertEqual(whole.asked.map(\.intensity), [0.5, 0.25])
    XCTAssertEqual(session.update { $0.intensity = 1 }.outcome == nil, true)
    whole.answer()
    XCTAssertEqual(session.intensity.value, 1)
  }

  func test_sessionApplicator_afterAFailedResolve_isResetToFalse() {
    let whole = ManualDevice(session.applicator(), automatic: .success)
    session.isEnabled.apply(true)
    session.interrupt(reason: "test")
    XCTAssertEqual(whole.asked.map(\.isEnabled), [true, false])
    // When the value is restored, the first applicator accepts true and the second one fails.
    let failing = ManualDevice(session.applicator(), automatic: .failure(Trouble()))
    let resolved = session.resolve(interruption: "test")
    guard case .parameter(.applyFailed)? = resolved.failureNow else {
      return XCTFail("restoring fails at the second")
    }
    XCTAssertEqual(whole.asked.map(\.isEnabled), [true, false, true, false])
    XCTAssertTrue(session.isInterrupted)
    failing.automatic = .success
    XCTAssertEqual(session.resolve(interruption: "test").valueNow, false)
    XCTAssertEqual(session.values.isEnabled, true)
  }

  func test_interrupt_thatFails_isRetriedByTheNewHandlerOfTheApplicator() {
    let log = SessionLog()
    let whole = session.applicator().apply { values, result in
      result(values.isEnabled ? .success : .failure(Trouble()))
    }
    session.isEnabled.apply(true)
    XCTAssertNotNil(session.interrupt(reason: "test").failureNow, "it may still be at true")
    XCTAssertEqual(whole.latestAppliedValue?.isEnabled, true)
    let configured = whole.apply { values, result in
      log.note("applied \(values.isEnabled)")
      result(.success)
    }
    XCTAssertEqual(log.events, ["applied false"])
    XCTAssertEqual(configured.latestAppliedValue?.isEnabled, false)
  }

  func test_deactivate_failsCurrentAndLaterUpdates() {
    let whole = ManualDevice(session.applicator())
    let running = updateAll()
    let queued = session.update { $0.intensity = 0.1 }
    controller.deactivate()
    XCTAssertEqual(running.failureNow, .sessionDeactivated)
    XCTAssertEqual(queued.failureNow, .sessionDeactivated)
    XCTAssertEqual(session.update { $0.intensity = 0.2 }.failureNow, .sessionDeactivated)
    XCTAssertEqual(session.update { _ in }.failureNow, .sessionDeactivated)
    whole.answer()
    XCTAssertEqual(session.values, SessionValues())
    XCTAssertNil(whole.applicator.latestAppliedValue)
  }

  func test_updateState_withoutApplicators_showsTheOutcomeOfTheUpdate() {
    let whole = ManualDevice(session.applicator())
    var base: SessionValues?
    let first = updateAll()
    let queued = session.intensity.apply(0.25)
    let second = session.update { values in
      base = values
      values.isEnabled = false
    }
    XCTAssertEqual(base, SessionValues(isEnabled: true, intensity: 0.25, preset: preset))
    XCTAssertEqual(session.values, SessionValues())
    whole.answer(.failure(Trouble()))
    guard case .applyFailed? = first.failureNow else { return XCTFail("it fails") }
    XCTAssertEqual(session.isEnabled.updateState.failedValue, true)
    XCTAssertEqual(session.preset.updateState.failedValue, preset)
    whole.answer()
    XCTAssertEqual(queued.valueNow, 0.25)
    XCTAssertEqual(second.valueNow, SessionValues(intensity: 0.25))
    session.update { $0.isEnabled = true }
    whole.answer()
    guard case .applied = session.isEnabled.updateState else {
      return XCTFail("\(session.isEnabled.updateState)")
    }
    session.update { $0.isEnabled = false }
    controller.deactivate()
    XCTAssertEqual(session.isEnabled.updateState, .failed(false, .sessionDeactivated))
    XCTAssertTrue(session.isEnabled.value)
  }

  func test_update_whenAPendingApplyFailsInsideTheUpdateClosure_publishesOnlyChangedValues() {
    let device = ManualDevice(session.intensity)
    let seen = Recorder<Float>()
    let token = session.intensity.$value.sink { seen.record($0) }
    session.intensity.apply(0.5)
    let update = session.update { values in
      XCTAssertEqual(values.intensity, 0.5)
      device.answer(.failure(Trouble()))
      device.applicator.cancel()
      values.intensity = 1
    }
    XCTAssertEqual(update.valueNow?.intensity, 1)
    XCTAssertEqual(seen.events, [1])
    token.cancel()
  }

  func test_update_returnsItsCommittedValues_notLaterValuesOfASubscriber() throws {
    let session = try XCTUnwrap(session)
    let whole = ManualDevice(session.applicator(), automatic: .success)
    let token = session.isEnabled.$value.sink { [weak session] isEnabled in
      if isEnabled { session?.intensity.apply(0.125) }
    }
    XCTAssertEqual(updateAll().valueNow?.intensity, 0.5)
    XCTAssertEqual(whole.asked.map(\.intensity), [0.5, 0.125])
    token.cancel()
  }

  func test_sessionApplicator_thatTimesOut_failsTheUpdate_andTheNextUpdateRuns() {
    let whole = ManualDevice(session.applicator(named: "headphone").timeout(1))
    let first = updateAll()
    let second = session.update { $0.intensity = 0.25 }
    scheduler.advance(by: .seconds(1))
    guard case .applyTimeoutExceeded(let attempt)? = first.failureNow else {
      return XCTFail("\(String(describing: first.outcome))")
    }
    XCTAssertEqual(attempt.applicator, "headphone")
    whole.answer()
    XCTAssertNil(second.outcome, "a late answer counts for nothing")
    whole.answer()
    XCTAssertEqual(second.valueNow?.intensity, 0.25)
  }

  func test_sessionApplicatorCancelledDuringAnUpdate_isSkippedByTheUpdate() {
    var whole: ManualDevice<SessionValues>? = ManualDevice(session.applicator())
    let update = updateAll()
    XCTAssertNil(update.outcome)
    whole?.applicator.cancel()
    XCTAssertNotNil(update.valueNow)
    whole = nil
    let slow = ManualDevice(session.intensity)
    session.intensity.apply(0)
    XCTAssertEqual(session.isEnabled.apply(false).valueNow, false, "does not wait for intensity")
    slow.answer()
  }

  func test_apply_insideASessionHandler_isExecutedNext() throws {
    let session = try XCTUnwrap(session)
    let seen = Recorder<Float>()
    let whole = session.applicator().apply { [weak session] values, result in
      seen.record(values.intensity)
      if values.intensity == 0.5 {
        session?.update { $0.intensity = 0.25 }
        session?.intensity.apply(0.125)
      }
      result(.success)
    }
    session.intensity.apply(0.5)
    XCTAssertEqual(seen.events, [0.5, 0.25, 0.125])
    XCTAssertEqual(session.values.intensity, 0.125)
    withExtendedLifetime(whole) {}
  }

  func test_updates_2000InTheQueue_runInOrder_withoutDeepRecursion() {
    let whole = ManualDevice(session.applicator())
    session.intensity.apply(0)
    let count = 2_000
    let results = (1...count).map { number in
      session.update { $0.intensity = Float(number) / Float(count) }
    }
    whole.automatic = .success
    whole.answer()
    waitUntil { results.last?.outcome != nil }
    XCTAssertEqual(whole.asked.map(\.intensity), (0...count).map { Float($0) / Float(count) })
    XCTAssertTrue(results.allSatisfy { $0.valueNow != nil })
  }

  func test_update_fromFourThreads_losesNoIncrement() throws {
    let rounds = 500
    let session = try XCTUnwrap(session)
    session.intensity.apply(0)
    let results = Recorder<ResultPublisher<SessionValues, ParameterError>>()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<rounds {
        results.record(session.update { $0.intensity += 1.0 / 4096 })
      }
    }
    waitUntil { results.events.allSatisfy { $0.outcome != nil } }
    XCTAssertEqual(session.intensity.value, Float(4 * rounds) / 4096)
  }

  func test_sessionReleasedWhileInterrupted_finishesItsUpdate_andRejectsValuesOfIsEnabled()
    throws
  {
    var session = try Optional(
      ProcessingController(scheduler: scheduler).activate(
        presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2)))))
    let intensity = try XCTUnwrap(session?.intensity)
    let isEnabled = try XCTUnwrap(session?.isEnabled)
    let whole = try ManualDevice(XCTUnwrap(session).applicator(), automatic: .success)
    XCTAssertEqual(session?.interrupt(reason: "test").valueNow, true)
    whole.automatic = nil
    let enabling = session?.update { $0.isEnabled = true }
    let update = session?.update { $0.intensity = 0.75 }
    XCTAssertNil(try XCTUnwrap(update).outcome)
    weak let released = session
    session = nil
    XCTAssertNil(released)
    XCTAssertEqual(enabling?.failureNow, .interrupted)
    whole.answer()
    XCTAssertEqual(update?.valueNow, SessionValues(intensity: 0.75))
    whole.automatic = .success
    XCTAssertEqual(intensity.apply(0.5).valueNow, 0.5)
    XCTAssertEqual(isEnabled.apply(true).failureNow, .interrupted)
    XCTAssertEqual(isEnabled.value, false)
    XCTAssertEqual(whole.asked.suffix(2).map(\.intensity), [0.75, 0.5])
    XCTAssertFalse(whole.asked.contains { $0.isEnabled })
  }

  func test_sessionReleasedByASubscriber_deliversTheUpdate_thenEndsItsValues() async throws {
    let held = Holder(
      try ProcessingController(scheduler: scheduler).activate(
        presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2)))))
    let whole = try ManualDevice(XCTUnwrap(held.value).applicator())
    let values = held.value?.intensity.$value.values
    let token = held.value?.isEnabled.$value.sink { if $0 { held.value = nil } }
    let update = held.value?.update { $0 = SessionValues(isEnabled: true, intensity: 0.5) }
    var iterator = try XCTUnwrap(values).makeAsyncIterator()
    let first = try await iterator.next()
    XCTAssertEqual(first, 1)
    whole.answer()
    XCTAssertEqual(update?.valueNow?.intensity, 0.5)
    var seen: [Float] = []
    while let value = try await iterator.next() { seen.append(value) }
    XCTAssertEqual(seen, [0.5])
    token?.cancel()
  }

  // MARK: Assigned parameters

  func test_update_assigningAValueInFlight_failsIfThatValueFails() {
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    let update = session.update { values in
      values.isEnabled = true
      values.intensity = 0.5
    }
    device.answer(.failure(Trouble()))
    XCTAssertNil(update.outcome, "the update calls the device again")
    device.answer(.failure(Trouble()))
    XCTAssertNotNil(update.failureNow)
    XCTAssertEqual(session.values, SessionValues())
    let second = session.update { $0.isEnabled = true }
    device.answer()
    XCTAssertEqual(second.valueNow, SessionValues(isEnabled: true))
  }

  func test_update_assigningADebouncedValue_appliesTheValueNow_andIsNotSuperseded() {
    session.intensity.deliveryMode = .discrete(seconds: 1)
    let waiting = session.intensity.apply(0.25)
    XCTAssertEqual(session.update { $0.intensity = 0.25 }.valueNow?.intensity, 0.25)
    XCTAssertEqual(session.intensity.value, 0.25)
    XCTAssertEqual(waiting.failureNow, .superseded)
  }

  func test_update_assigningTheCurrentValueOfIsEnabled_duringAnInterruption_fails() {
    session.isEnabled.apply(true)
    session.interrupt(reason: "test")
    let off = session.update { values in
      values.isEnabled = false
      values.intensity = 0.25
    }
    XCTAssertEqual(off.failureNow, .interrupted)
    XCTAssertEqual(session.intensity.value, 1)
    XCTAssertEqual(session.update { $0 = SessionValues() }.failureNow, .interrupted)
    XCTAssertEqual(session.update { $0.intensity = 0.25 }.valueNow?.intensity, 0.25)
  }

  func test_update_replacingAllValues_assignsEveryParameter() {
    let slow = ManualDevice(session.intensity)
    session.intensity.apply(0.5)
    let old = Recorder<SessionValues>()
    let first = session.update { values in
      old.record(values)
      values.isEnabled = true
    }
    XCTAssertEqual(first.valueNow, SessionValues(isEnabled: true), "waits for isEnabled only")
    // `old` contains the argument of the closure of an earlier update.
    let all = session.update { $0 = old.events[0] }
    XCTAssertNil(all.outcome, "waits for the intensity")
    slow.answer(.failure(Trouble()))
    slow.answer()
    XCTAssertEqual(all.valueNow, SessionValues(intensity: 0.5))
    let unchanged = session.update { values in
      let copy = values
      values.intensity = 0
      values = copy
    }
    XCTAssertEqual(unchanged.valueNow, SessionValues(intensity: 0.5))
    XCTAssertEqual(slow.asked, [0.5, 0.5])
    XCTAssertFalse("\(session.values)".contains("assigned"), "\(session.values)")
  }

  // MARK: The closure

  /// The closure of the update acquires a lock of the app. Another thread holds this lock while it
  /// calls `apply`.
  func test_updateClosure_thatAcquiresALockOfTheApp_doesNotDeadlock() throws {
    let session = try XCTUnwrap(session)
    let lock = NSLock()
    let (entered, locked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let calls = Holder(0)
    session.intensity.apply(0)
    let applying = OtherThread {
      entered.wait()
      lock.withLock {
        locked.signal()
        session.intensity.apply(0.25)
      }
    }
    let update = session.update { values in
      calls.value = (calls.value ?? 0) + 1
      if calls.value == 1 {
        entered.signal()
        locked.wait()
      }
      lock.withLock { values.intensity += 0.25 }
    }
    applying.join()
    waitUntil { update.outcome != nil }
    XCTAssertEqual(update.valueNow?.intensity, 0.5, "the closure got the value of the other thread")
    XCTAssertEqual(calls.value, 2)
  }

  func test_updateClosure_thatAppliesValues_runs100Times_onlyIfItAlsoAssignsTheParameter() throws {
    let session = try XCTUnwrap(session)
    let (calls, isFree) = (Holder(0), Holder(false))
    let device = session.fineTuning.applicator().apply { _, result in
      let other = OtherThread { session.intensity.apply(0.25) }
      other.join()
      isFree.value = true
      result(.success)
    }
    let louder = try FineTuning(loudness: 1)
    let update = session.update { values in
      calls.value = (calls.value ?? 0) + 1
      session.fineTuning.apply(louder)
      values.isEnabled = true
    }
    XCTAssertEqual(
      update.valueNow, SessionValues(isEnabled: true, intensity: 0.25, fineTuning: louder))
    XCTAssertEqual(calls.value, 1)
    XCTAssertEqual(isFree.value, true)
    let own = session.update { values in
      calls.value = (calls.value ?? 0) + 1
      session.intensity.apply(0.5)
      values.intensity = 0.75
    }
    XCTAssertEqual(own.valueNow?.intensity, 0.75)
    XCTAssertEqual(calls.value, 101)
    withExtendedLifetime(device) {}
  }
}

extension UpdateState {
  /// The last value that could not be applied.
  fileprivate var failedValue: Value? {
    if case .failed(let value, _) = self { value } else { nil }
  }
}

extension ResultPublisher {
  /// A settled result with the transformed value, or with the same error.
  fileprivate func map<Mapped>(_ transform: (Value) -> Mapped) -> ResultPublisher<Mapped, Failure> {
    switch outcome {
    case .success(let value)?: .success(transform(value))
    case .failure(let error)?: .failure(error)
    case nil: preconditionFailure("the result is not there")
    }
  }
}
