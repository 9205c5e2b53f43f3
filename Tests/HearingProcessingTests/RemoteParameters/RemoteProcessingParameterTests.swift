import HearingProcessing
import TestSupport
import XCTest

final class RemoteProcessingParameterTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let calls = PendingCalls<Int>()
  private lazy var parameter = RemoteProcessingParameter(0, scheduler: scheduler) {
    [calls] in try await calls.next()
  }

  // MARK: One load

  func test_values_endWhenTheParameterIsReleased_evenIfItsLoadWasSuperseded() async throws {
    let calls = PendingCalls<Int>()
    var parameter: RemoteProcessingParameter<Int>? = RemoteProcessingParameter(0) {
      try await calls.next()
    }
    let view = try XCTUnwrap(parameter).$value
    let reading = Task { for await _ in view.values {} }
    let result = try XCTUnwrap(parameter).reload()
    await calls.begun(1)
    parameter?.apply(5)
    parameter = nil
    calls.answer(0, .success(1))
    guard case .superseded = await result.failure() else { return XCTFail("not overtaken") }
    await reading.value
    XCTAssertEqual(view.value, 5)
  }

  func test_loadClosure_isNotCalledBeforeReload() async {
    XCTAssertEqual(parameter.value, 0)
    parameter.apply(1)
    XCTAssertEqual(calls.count, 0)
    parameter.reload()
    await calls.begun(1)
  }

  func test_reload_loadsFromTheSource_thenAppliesTheValue() async throws {
    let device = ManualDevice(parameter, automatic: .success)
    let log = SessionLog()
    log.watch(parameter.$value, "value")
    log.watch(parameter.$updateState, "state")
    let result = parameter.reload()
    log.watch(result, "reload")
    await calls.begun(1)
    calls.answer(0, .success(5))
    _ = try await result.get()
    _ = try await parameter.synchronizeApplicators().get()
    XCTAssertEqual(
      log.events.prefix(8),
      [
        "value 0", "state applied", "state loading", "state applying(5)", "value 5",
        "state applied", "reload = 5", "reload done",
      ])
    XCTAssertEqual(device.asked, [5])
  }

  func test_reload_thatFails_changesNothing_andReportsTheError() async {
    let device = ManualDevice(parameter, automatic: .success)
    parameter.apply(3)
    let result = parameter.reload()
    await calls.begun(1)
    calls.answer(0, .failure(Trouble()))
    guard case .loadFailed(let error) = await result.failure() else { return XCTFail("no failure") }
    XCTAssertTrue(error is Trouble)
    XCTAssertEqual(parameter.value, 3)
    XCTAssertEqual(device.asked, [3])
    guard case .failed(3, .loadFailed) = parameter.updateState else {
      return XCTFail("\(parameter.updateState)")
    }
  }

  func test_reload_afterAFailure_loadsAgain() async throws {
    let failed = parameter.reload()
    await calls.begun(1)
    calls.answer(0, .failure(Trouble()))
    _ = await failed.failure()
    let result = parameter.reload()
    await calls.begun(2)
    calls.answer(1, .success(7))
    let value = try await result.get()
    XCTAssertEqual(value, 7)
  }

  func test_reload_ofAValueThatAnApplicatorCannotApply_fails() async {
    let device = ManualDevice(parameter)
    device.isWilling = false
    let result = parameter.reload()
    await calls.begun(1)
    calls.answer(0, .success(5))
    guard case .cannotApply = await result.failure() else { return XCTFail("no failure") }
    XCTAssertEqual(parameter.value, 0)
  }

  func test_reload_ofAnInvalidValue_failsAndKeepsTheValue() async {
    let calls = calls
    let parameter = RemoteProcessingParameter(0, scheduler: scheduler, validate: { $0 < 10 }) {
      try await calls.next()
    }
    let result = parameter.reload()
    await calls.begun(1)
    calls.answer(0, .success(10))
    guard case .invalidValue = await result.failure() else { return XCTFail("no failure") }
    XCTAssertEqual(parameter.value, 0)
    guard case .failed(0, .invalidValue) = parameter.updateState else {
      return XCTFail("\(parameter.updateState)")
    }
  }

  // MARK: Loads that overlap

  func test_reload_duringAReload_supersedesTheOlderReload() async throws {
    let first = parameter.reload()
    await calls.begun(1)
    let second = parameter.reload()
    XCTAssertEqual(first.failureNow, .superseded)
    await calls.cancelled(0)
    await calls.begun(2)
    calls.answer(1, .success(4))
    let value = try await second.get()
    XCTAssertEqual(value, 4)
    calls.answer(0, .success(3))
    XCTAssertEqual(parameter.value, 4)
  }

  func test_reload_afterAValueWasApplied_loadsAgain_andCancelsTheOlderLoad() async throws {
    let older = parameter.reload()
    await calls.begun(1)
    parameter.apply(1)
    let newer = parameter.reload()
    guard case .superseded = older.failureNow else { return XCTFail("it goes on") }
    await calls.cancelled(0)
    await calls.begun(2)
    calls.answer(0, .success(100))
    calls.answer(1, .success(2))
    let value = try await newer.get()
    XCTAssertEqual(value, 2)
    XCTAssertEqual(parameter.value, 2)
  }

  func test_load_neverOverwritesAValueAppliedAfterItBegan() async {
    let device = ManualDevice(parameter, automatic: .success)
    let result = parameter.reload()
    await calls.begun(1)
    parameter.apply(1)
    calls.answer(0, .success(100))
    guard case .superseded = await result.failure() else { return XCTFail("no failure") }
    XCTAssertEqual(parameter.value, 1)
    XCTAssertEqual(device.asked, [1])
  }

  func test_load_neverOverwritesAValueThatIsStillBeingApplied() async {
    let device = ManualDevice(parameter)
    let result = parameter.reload()
    await calls.begun(1)
    let applied = parameter.apply(1)
    calls.answer(0, .success(100))
    guard case .superseded = await result.failure() else { return XCTFail("no failure") }
    device.answer()
    XCTAssertEqual(applied.valueNow, 1)
    XCTAssertEqual(device.asked, [1])
  }

  func test_load_neverOverwritesASynchronizedValue() async {
    let result = parameter.reload()
    await calls.begun(1)
    let (applicator, _) = parameter.applicator(synchronizing: 1)
    calls.answer(0, .success(100))
    guard case .superseded = await result.failure() else { return XCTFail("no failure") }
    XCTAssertEqual(parameter.value, 1)
    XCTAssertEqual(applicator.latestAppliedValue, 1)
  }

  func test_load_duringSynchronizeApplicators_isNotSuperseded() async throws {
    let result = parameter.reload()
    await calls.begun(1)
    parameter.synchronizeApplicators()
    calls.answer(0, .success(9))
    let value = try await result.get()
    XCTAssertEqual(value, 9)
  }

  func test_load_thatWasSuperseded_andFailsLater_changesNothing() async throws {
    parameter.reload()
    await calls.begun(1)
    parameter.apply(1)
    let newer = parameter.reload()
    await calls.begun(2)
    calls.answer(0, .failure(Trouble()))
    calls.answer(1, .success(2))
    _ = try await newer.get()
    _ = try await parameter.synchronizeApplicators().get()
    guard case .applied = parameter.updateState else {
      return XCTFail("\(parameter.updateState)")
    }
  }

  /// One thread repeatedly changes the source and reloads. A second thread only reloads. At the
  /// end, the value must be the newest value of the source.
  func test_reloads_fromTwoThreads_endWithTheNewestSourceValue() async throws {
    for _ in 0..<100 {
      let profiles = (0..<20).map { HearingProfile(left: $0 % 2 == 0 ? .n2 : .n3) }
      let source = DefaultPresetDataSource(fitting: .techLevel(2))
      let controller = ProcessingController(scheduler: scheduler)
      let session = try controller.activate(presetDataSource: .default(source))
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for profile in profiles {
            source.profile = profile
            session.preset.reload()
          }
          // Before this reload, the source got the newest profile.
          let failure = await session.preset.reload().failure()
          // A reload of the second thread may have superseded this reload.
          XCTAssertTrue(failure == nil || failure == .superseded, "\(String(describing: failure))")
        }
        group.addTask { for _ in 0..<20 { session.preset.reload() } }
      }
      _ = await session.preset.reload().failure()
      let expected = try Fitting.techLevel(2).preset(for: profiles[19])
      XCTAssertEqual(session.preset.value, expected)
    }
  }

  // MARK: Delivery, lifetime

  func test_reload_completes_evenIfTheParameterIsReleasedMeanwhile() async throws {
    let calls = calls
    var parameter: RemoteProcessingParameter? = RemoteProcessingParameter(
      0, scheduler: scheduler
    ) { try await calls.next() }
    let result = try XCTUnwrap(parameter).reload()
    await calls.begun(1)
    parameter = nil
    calls.answer(0, .success(3))
    let value = try await result.get()
    XCTAssertEqual(value, 3)
  }

  func test_loadClosure_isReleasedWithTheParameter() {
    weak var captured: Captured?
    do {
      let object = Captured()
      captured = object
      let parameter = RemoteProcessingParameter(0, scheduler: scheduler) {
        _ = object
        return 1
      }
      XCTAssertEqual(parameter.value, 0)
    }
    XCTAssertNil(captured)
  }

  private final class Captured: Sendable {}
}
