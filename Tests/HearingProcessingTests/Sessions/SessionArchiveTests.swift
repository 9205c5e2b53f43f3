import Foundation
@testable import HearingProcessing
import TestSupport
import XCTest

final class SessionArchiveTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let store = MemoryStore()
  private lazy var controller = ProcessingController(scheduler: scheduler, store: store)
  private let source = DefaultPresetDataSource(
    fitting: .techLevel(2), profile: HearingProfile(left: .n2))

  // MARK: Values from session to session

  func test_activate_startsFromTheLastSavedValues_beforeAPresetIsLoaded() throws {
    let preset = try Fitting.techLevel(2).preset(for: HearingProfile(right: .n3))
    let first = try activate()
    first.isEnabled.apply(true)
    first.intensity.apply(0.3)
    first.preset.apply(preset)
    let tuning = try FineTuning(brightness: -0.5)
    first.fineTuning.apply(tuning)
    controller.deactivate()
    let second = try activate()
    XCTAssertEqual(second.fineTuning.value, tuning)
    XCTAssertTrue(second.isEnabled.value)
    XCTAssertEqual(second.intensity.value, 0.3)
    XCTAssertEqual(second.preset.value, preset)
    controller.deactivate()
    let later = try ProcessingController(scheduler: scheduler, store: store)
      .activate(presetDataSource: .default(source))
    XCTAssertEqual(later.intensity.value, 0.3)
    XCTAssertEqual(later.preset.value, preset)
    XCTAssertNil(controller.storeFailure.value.map { "\($0)" })
  }

  func test_activateRightAfterDeactivate_startsFromTheLastCommittedValues_everyTime() throws {
    for step in 0..<100 {
      let session = try activate()
      XCTAssertEqual(session.intensity.value, step == 0 ? 1 : Float(step - 1) / 100)
      session.intensity.apply(0.999)
      session.intensity.apply(Float(step) / 100)
      controller.deactivate()
    }
  }

  func test_activateInsideASubscriberDuringDeactivate_startsFromTheLastCommittedValues() throws {
    let controller = controller
    let source = source
    let seen = Recorder<Float>()
    let session = try activate()
    let token = controller.session.sink { session in
      guard session == nil, seen.events.isEmpty else { return }
      seen.record(-1)
      if let next = try? controller.activate(presetDataSource: .default(source)) {
        seen.record(next.intensity.value)
      }
    }
    session.intensity.apply(0.4)
    controller.deactivate()
    XCTAssertEqual(seen.events, [-1, 0.4])
    _ = token
  }

  func test_valuesThatWereNotCommitted_areNotSaved() throws {
    let first = try activate()
    let device = ManualDevice(first.intensity)
    first.intensity.apply(0.3)
    first.isEnabled.deliveryMode = .discrete(seconds: 1)
    first.isEnabled.apply(true)
    controller.deactivate()
    device.answer()
    let second = try activate()
    XCTAssertEqual(second.intensity.value, 1)
    XCTAssertFalse(second.isEnabled.value)
  }

  func test_save_ofAnEarlierSession_isIgnoredAfterTheNextSessionBegins() {
    let archive = SessionArchive(store, scheduler: scheduler, failures: CurrentValueSource(nil))
    let first = archive.open()
    archive.save(first.number) { SessionValues(intensity: 0.1) }
    let second = archive.open()
    XCTAssertEqual(second.values, SessionValues(intensity: 0.1))
    archive.save(second.number) { SessionValues(intensity: 0.2) }
    archive.save(first.number) { SessionValues(intensity: 0.3) }
    XCTAssertEqual(archive.open().values, SessionValues(intensity: 0.2))
    archive.save(first.number) { SessionValues(intensity: 0.3) }
    XCTAssertEqual(archive.open().values, SessionValues(intensity: 0.2))
  }

  func test_duringAnInterruption_theValueToRestoreIsSaved() throws {
    let first = try activate()
    first.isEnabled.apply(true)
    first.interrupt(reason: "1")
    first.intensity.apply(0.5)
    XCTAssertFalse(first.isEnabled.value)
    controller.deactivate()
    let second = try activate()
    XCTAssertTrue(second.isEnabled.value)
    XCTAssertFalse(second.isInterrupted)
    second.interrupt(reason: "1")
    second.resolve(interruption: "1")
    controller.deactivate()
    XCTAssertTrue(try activate().isEnabled.value)
  }

  func test_whileAnInterruptionBegins_theValueToRestoreIsSaved() throws {
    let first = try activate()
    let device = ManualDevice(first.isEnabled)
    first.isEnabled.apply(true)
    device.answer()
    first.interrupt(reason: "1")
    XCTAssertEqual(device.asked, [true, false])
    controller.deactivate()
    XCTAssertTrue(try activate().isEnabled.value)
  }

  func test_recommendationAppliedDuringAnInterruption_isSaved() async throws {
    let first = try activate()
    first.interrupt(reason: "1")
    _ = try await controller.report(.hearingTestSubmitted(HearingProfile(left: .n3))).get()
    XCTAssertFalse(first.isEnabled.value)
    controller.deactivate()
    XCTAssertTrue(try activate().isEnabled.value)
  }

  func test_valuesCommittedOnManyThreads_onlyTheLastIsSaved() throws {
    let preset = try Fitting.techLevel(2).preset(for: HearingProfile(right: .n3))
    for _ in 0..<50 {
      let session = try activate()
      DispatchQueue.concurrentPerform(iterations: 3) { index in
        for step in 0..<20 {
          switch index {
          case 0: session.isEnabled.apply(step % 2 == 0)
          case 1: session.intensity.apply(Float(step) / 20)
          default: session.preset.apply(step % 2 == 0 ? nil : preset)
          }
        }
      }
      let values = (session.isEnabled.value, session.intensity.value, session.preset.value)
      controller.deactivate()
      let next = try activate()
      XCTAssertEqual(next.isEnabled.value, values.0)
      XCTAssertEqual(next.intensity.value, values.1)
      XCTAssertEqual(next.preset.value, values.2)
      controller.deactivate()
    }
  }

  // MARK: Threads

  func test_apply_whileTheStoreIsBlocked_doesNotWait_andSavesOnAnotherThread() async throws {
    store.isGated = true
    let session = try activate()
    for step in 0..<100 { session.intensity.apply(Float(step) / 100) }
    XCTAssertEqual(session.intensity.value, 0.99)
    XCTAssertEqual(store.saveCount, 0)
    store.isGated = false
    store.gate.signal()
    await store.saved(1)
    controller.deactivate()
    XCTAssertEqual(try activate().intensity.value, 0.99)
    XCTAssertFalse(store.savedOnMainThread)
    XCTAssertLessThanOrEqual(store.saveCount, 3, "values that follow quickly are saved together")
  }

  func test_deactivate_savesTheLastValueBeforeItReturns() throws {
    for step in 1...50 {
      let session = try activate()
      session.intensity.apply(Float(step) / 100)
      controller.deactivate()
      let stored = store.session?["intensity"] as? NSNumber
      XCTAssertEqual(stored?.floatValue, Float(step) / 100)
    }
  }

  func test_deactivate_withAStoreThatHangs_returns_andReportsTheFailure() throws {
    let session = try activate()
    store.isGated = true
    session.intensity.apply(0.5)
    controller.deactivate()
    guard case .saveFailed = controller.storeFailure.value else {
      return XCTFail("\(String(describing: controller.storeFailure.value))")
    }
    store.isGated = false
    store.gate.signal()
    waitUntil { controller.storeFailure.value == nil }
  }

  func test_storeFailure_ofUnreadableData_isClearedByTheNextSave() throws {
    let failures = Recorder<Bool>()
    store.data = ["session": Data("garbage".utf8)]
    let session = try activate()
    let token = controller.storeFailure.sink { failures.record($0 != nil) }
    XCTAssertEqual(failures.events, [true])
    session.intensity.apply(0.5)
    controller.deactivate()
    XCTAssertNil(controller.storeFailure.value.map { "\($0)" })
    waitUntil { failures.events == [true, false] }
    store.data = ["session": Data("garbage".utf8)]
    try activate()
    XCTAssertNotNil(controller.storeFailure.value)
    waitUntil { failures.events == [true, false, true] }
    token.cancel()
  }

  func test_deactivate_insideSaveOfTheStore_doesNotDeadlock() throws {
    let session = try activate()
    let controller = controller
    store.duringSave = { controller.deactivate() }
    session.intensity.apply(0.5)
    while controller.session.value != nil { Thread.sleep(forTimeInterval: 0.001) }
    store.duringSave = nil
    controller.deactivate()
    XCTAssertEqual(try activate().intensity.value, 0.5)
  }

  /// A slider moves for two seconds and sends 120 values per second.
  func test_manyValuesInTwoSeconds_causeAtMostEightSaves_includingTheLastValue() async throws {
    let session = try activate()
    for step in 1...240 {
      session.intensity.apply(Float(step) / 480)
      scheduler.advance(by: .milliseconds(8))
    }
    scheduler.advance(by: .milliseconds(300))
    controller.deactivate()
    XCTAssertLessThanOrEqual(store.saveCount, 8)
    XCTAssertGreaterThanOrEqual(store.saveCount, 1)
    XCTAssertEqual((store.session?["intensity"] as? NSNumber)?.floatValue, 0.5)
  }

  func test_valueAppliedAfterResolve_isSavedInsteadOfTheInterruptedValue() throws {
    let session = try activate()
    session.isEnabled.apply(true)
    session.interrupt(reason: "1")
    session.resolve(interruption: "1")
    session.isEnabled.apply(false)
    controller.deactivate()
    XCTAssertFalse(try activate().isEnabled.value)
  }

  func test_pendingValue_isSavedWhenTheNextSessionBegins() async {
    let archive = SessionArchive(store, scheduler: scheduler, failures: CurrentValueSource(nil))
    let first = archive.open()
    archive.save(first.number) { SessionValues(intensity: 0.1) }
    await store.saved(1)
    archive.save(first.number) { SessionValues(intensity: 0.2) }
    XCTAssertEqual(archive.open().values?.intensity, 0.2)
  }

  func test_withoutChanges_nothingIsSaved() throws {
    for _ in 0..<3 {
      try activate()
      controller.deactivate()
    }
    XCTAssertEqual(store.saveCount, 0)
  }

  func test_session_isFreedAfterItsLastValueWasSaved() async throws {
    weak var session: ProcessingSession?
    do {
      let active = try activate()
      session = active
      active.intensity.apply(0.1)
      controller.deactivate()
    }
    try activate()
    XCTAssertNil(session)
  }

  func test_sessionDataWithoutPreset_isRestored_andSavedWithoutPresetKey() throws {
    for preset in ["", ",\"preset\":null"] {
      store.data = [
        "session": Data(
          "{\"format\":\"hearing-session\",\"version\":1,\"isEnabled\":true,\"intensity\":0.5\(preset)}"
            .utf8)
      ]
      let session = try activate()
      XCTAssertNil(controller.storeFailure.value.map { "\($0)" })
      XCTAssertTrue(session.isEnabled.value)
      XCTAssertEqual(session.intensity.value, 0.5)
      XCTAssertNil(session.preset.value)
      session.intensity.apply(0.25)
      controller.deactivate()
      // The next session saves values that the previous session could not save.
      try activate()
      controller.deactivate()
      XCTAssertEqual((store.session?["intensity"] as? NSNumber)?.floatValue, 0.25)
      XCTAssertEqual(store.session?.keys.contains("preset"), false)
    }
  }

  // MARK: Unreadable data

  func test_corruptData_isCopied_reported_andReplacedByTheNextValues() throws {
    for text in [
      "", "{", "[]", "null", "{\"format\":\"hearing-session\"}",
      "{\"format\":\"other\",\"version\":1}",
      "{\"format\":\"hearing-session\",\"version\":0}",
      "{\"format\":\"hearing-session\",\"version\":1,\"isEnabled\":true}",
      "{\"format\":\"hearing-session\",\"version\":1,\"isEnabled\":true,\"intensity\":1.5}",
      "{\"format\":\"hearing-session\",\"version\":1,\"isEnabled\":true,\"intensity\":1e99}",
      "{\"format\":\"hearing-session\",\"version\":1,\"isEnabled\":1,\"intensity\":\"a\"}",
      String(repeating: "[", count: 100_000),
    ] {
      let data = Data(text.utf8)
      store.data = ["session": data]
      let session = try activate()
      XCTAssertFalse(session.isEnabled.value)
      XCTAssertEqual(session.intensity.value, 1)
      guard case .unreadable(let reason, "session-set-aside-1") = controller.storeFailure.value
      else {
        return XCTFail("\(text.prefix(80)): \(String(describing: controller.storeFailure.value))")
      }
      XCTAssertFalse(reason.contains { $0.isNewline })
      XCTAssertEqual(store.data["session-set-aside-1"], data)
      session.intensity.apply(0.5)
      controller.deactivate()
      XCTAssertEqual(try activate().intensity.value, 0.5)
      controller.deactivate()
    }
  }

  func test_dataOfANewerVersion_isCopied_andReported() throws {
    let data = Data("{\"format\":\"hearing-session\",\"version\":2,\"mood\":7}".utf8)
    store.data = ["session": data]
    let session = try activate()
    guard case .newer(2, "session-set-aside-1") = controller.storeFailure.value else {
      return XCTFail("\(String(describing: controller.storeFailure.value))")
    }
    XCTAssertEqual(
      controller.storeFailure.value?.description,
      "the stored values are of version 2, which is not known; "
        + "they were set aside as session-set-aside-1")
    XCTAssertEqual(store.data["session-set-aside-1"], data)
    XCTAssertEqual(session.intensity.value, 1)
  }

  func test_corruptData_isCopiedOnce_andNeverOverwritesAnEarlierCopy() throws {
    let corrupt = Data("corrupt".utf8)
    let other = Data("other".utf8)
    store.data = ["session": corrupt, "session-set-aside-1": other]
    try activate()
    guard case .unreadable(_, "session-set-aside-2") = controller.storeFailure.value else {
      return XCTFail("\(String(describing: controller.storeFailure.value))")
    }
    controller.deactivate()
    XCTAssertEqual(store.data["session-set-aside-1"], other)
    XCTAssertEqual(store.data["session-set-aside-2"], corrupt)
    store.data["session"] = corrupt
    try activate()
    controller.deactivate()
    XCTAssertEqual(store.data.count, 3)
  }

  func test_corruptDataThatCannotBeCopied_isNotOverwritten() throws {
    let corrupt = Data("corrupt".utf8)
    store.data = ["session": corrupt]
    store.saveFailure = Trouble()
    let session = try activate()
    guard case .unreadable(_, nil) = controller.storeFailure.value else {
      return XCTFail("\(String(describing: controller.storeFailure.value))")
    }
    store.saveFailure = nil
    session.intensity.apply(0.5)
    controller.deactivate()
    XCTAssertEqual(try activate().intensity.value, 1)
    XCTAssertEqual(store.data["session-set-aside-1"], corrupt)
  }

  func test_storeThatCannotBeRead_isReported_andNotWrittenTo() throws {
    let data = Data("{\"format\":\"hearing-session\",\"version\":2}".utf8)
    store.data = ["session": data]
    store.loadFailure = Trouble()
    let session = try activate()
    guard case .loadFailed(let error) = controller.storeFailure.value else {
      return XCTFail("\(String(describing: controller.storeFailure.value))")
    }
    XCTAssertTrue(error is Trouble)
    session.intensity.apply(0.5)
    XCTAssertEqual(session.intensity.value, 0.5, "the session works all the same")
    controller.deactivate()
    _ = try? activate()
    XCTAssertEqual(store.data, ["session": data])
  }

  func test_failedSave_isReported_andRetriedWithTheNextValue() async throws {
    let session = try activate()
    store.saveFailure = Trouble()
    session.intensity.apply(0.5)
    for await failure in controller.storeFailure.values {
      if case .saveFailed(let error) = failure {
        XCTAssertTrue(error is Trouble)
        break
      }
    }
    XCTAssertEqual(session.intensity.value, 0.5)
    store.saveFailure = nil
    session.isEnabled.apply(true)
    scheduler.advance(by: .milliseconds(300))
    for await failure in controller.storeFailure.values where failure == nil { break }
    controller.deactivate()
    XCTAssertEqual(try activate().intensity.value, 0.5)
  }

  func test_failedSave_isRetriedWhenTheNextSessionBegins_ifNoValueFollows() async {
    let failures = CurrentValueSource<StoreFailure?>(nil)
    let archive = SessionArchive(store, scheduler: scheduler, failures: failures)
    let edition = archive.open()
    store.saveFailure = Trouble()
    archive.save(edition.number) { SessionValues(intensity: 0.5) }
    for await failure in CurrentValuePublisher(failures).values where failure != nil { break }
    store.saveFailure = nil
    XCTAssertEqual(archive.open().values?.intensity, 0.5)
  }

  func test_failedSave_ofAValueThatWasReverted_isNotRetried() async {
    let failures = CurrentValueSource<StoreFailure?>(nil)
    let archive = SessionArchive(store, scheduler: scheduler, failures: failures)
    let kept = SessionValues(intensity: 0.1)
    let edition = archive.open()
    archive.save(edition.number) { kept }
    await store.saved(1)
    store.saveFailure = Trouble()
    archive.save(edition.number) { SessionValues(intensity: 0.5) }
    scheduler.advance(by: .milliseconds(300))
    for await failure in CurrentValuePublisher(failures).values where failure != nil { break }
    archive.save(edition.number) { kept }
    store.saveFailure = nil
    XCTAssertEqual(archive.open().values, kept)
    XCTAssertEqual(store.session?["intensity"] as? Double, 0.1)
    for await failure in CurrentValuePublisher(failures).values where failure == nil { break }
  }

  func test_valuesOfAFailedSave_areUsedByLaterSessions_untilTheyAreSaved() async {
    let failures = CurrentValueSource<StoreFailure?>(nil)
    let archive = SessionArchive(store, scheduler: scheduler, failures: failures)
    let committed = SessionValues(intensity: 0.5)
    let edition = archive.open()
    archive.save(edition.number) { SessionValues(intensity: 0.1) }
    await store.saved(1)
    store.saveFailure = Trouble()
    archive.save(edition.number) { committed }
    // Each call of `open()` begins a new edition without changes. The first call fails to save, and
    // the second one also fails to read.
    XCTAssertEqual(archive.open().values, committed)
    store.loadFailure = Trouble()
    XCTAssertEqual(archive.open().values, committed)
    store.loadFailure = nil
    XCTAssertEqual(archive.open().values, committed)
    store.saveFailure = nil
    XCTAssertEqual(archive.open().values, committed)
    XCTAssertEqual(store.session?["intensity"] as? Double, 0.5)
    for await failure in CurrentValuePublisher(failures).values where failure == nil { break }
  }

  func test_subscriberOfStoreFailure_canActivateAndDeactivate() async throws {
    let controller = controller
    let source = source
    let session = try activate()
    let done = PendingCalls<Void>()
    let waiting = Task { try await done.next() }
    await done.begun(1)
    let token = controller.storeFailure.sink { failure in
      guard failure != nil, controller.session.value != nil else { return }
      controller.deactivate()
      _ = try? controller.activate(presetDataSource: .default(source))
      done.answer(0, .success(()))
    }
    store.saveFailure = Trouble()
    session.intensity.apply(0.5)
    try await waiting.value
    token.cancel()
  }

  func test_withoutAStore_everySessionStartsWithDefaultValues() throws {
    let controller = ProcessingController(scheduler: scheduler)
    try controller.activate(presetDataSource: .default(source)).intensity.apply(0.5)
    controller.deactivate()
    let session = try controller.activate(presetDataSource: .default(source))
    XCTAssertEqual(session.intensity.value, 1)
    XCTAssertNil(controller.storeFailure.value.map { "\($0)" })
  }

  @discardableResult
  private func activate() throws -> ProcessingSession {
    try controller.activate(presetDataSource: .default(source))
  }
}
