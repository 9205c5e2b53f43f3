import Foundation
import HearingProcessing
import TestSupport
import XCTest

final class AsyncApplicatorTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private lazy var parameter = ProcessingParameter(0, scheduler: scheduler)

  func test_asyncApply_succeedsWhenItReturns_andFailsWhenItThrows() async throws {
    let a = parameter.applicator(named: "a").apply { value async throws in
      if value == 2 { throw DeviceFailure() }
    }
    let applied = try await parameter.apply(1).settled()
    XCTAssertEqual(applied, 1)
    XCTAssertEqual(a.latestAppliedValue, 1)
    let failure = await parameter.apply(2).failure()
    XCTAssertEqual(
      failure, .applyFailed(DeviceFailure(), Attempt(applicator: "a", value: "2")))
    XCTAssertEqual(parameter.value, 1)
  }

  func test_timeout_cancelsTheTaskOfAsyncApply_andIgnoresItsAnswer() async {
    let calls = PendingCalls<Void>()
    let a = parameter.applicator().timeout(1).apply { _ async throws in try await calls.next() }
    let result = parameter.apply(1)
    await calls.begun(1)
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(result.outcome, .failure(.applyTimeoutExceeded(Attempt(value: "1"))))
    await calls.cancelled(0)
    calls.answer(0, .success(()))
    XCTAssertNil(a.latestAppliedValue)
  }

  func test_cancellingTheApplicator_orDeactivating_cancelsTheTask() async throws {
    let calls = PendingCalls<Void>()
    let a = parameter.applicator().apply { _ async throws in try await calls.next() }
    let result = parameter.apply(1)
    await calls.begun(1)
    a.cancel()
    await calls.cancelled(0)
    XCTAssertEqual(result.outcome, .success(1), "the sequence goes on without it")
    calls.answer(0, .success(()))

    let controller = ProcessingController(scheduler: scheduler)
    let session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
    let b = session.intensity.applicator().apply { _ async throws in try await calls.next() }
    session.intensity.apply(0.5)
    await calls.begun(2)
    controller.deactivate()
    await calls.cancelled(1)
    calls.answer(1, .success(()))
    withExtendedLifetime(b) {}
  }

  func test_timeoutAfterTheHandlerWasReplaced_cancelsTheTask() async {
    let calls = PendingCalls<Void>()
    let a = parameter.applicator().timeout(1).apply { _ async throws in try await calls.next() }
    parameter.apply(1)
    await calls.begun(1)
    _ = a.apply { _, result in result(.success) }
    scheduler.advance(by: .seconds(1))
    await calls.cancelled(0)
    calls.answer(0, .success(()))
    let applied = parameter.apply(2).outcome
    XCTAssertEqual(applied, .success(2))
  }

  /// The session ends in a short interval: the applicator was already chosen, and its handler has
  /// not begun.
  func test_deactivationWhileTheCallBegins_cancelsTheTask() async throws {
    let ending = Holder<ProcessingController>()
    let clock = EndingScheduler(scheduler) { ending.value?.deactivate() }
    let controller = ProcessingController(scheduler: clock)
    let session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
    let calls = PendingCalls<Void>()
    let a = session.intensity.applicator { _ async throws in try await calls.next() }
    ending.value = controller
    let result = session.intensity.apply(0.5)
    XCTAssertEqual(result.outcome, .failure(.sessionDeactivated))
    await calls.cancelled(0)
    calls.answer(0, .success(()))
    ending.value = nil
    withExtendedLifetime(a) {}
  }

  func test_applicatorMadeInOneCall_appliesValues_andCanBeStoredInASet() async throws {
    var applicators: Set<AnyApplicator> = []
    let asked = Recorder<Int>()
    let a = parameter.applicator(named: "a", at: 1, canApply: { $0 < 3 }) { value, result in
      asked.record(value)
      result(.success)
    }
    a.store(in: &applicators)
    a.store(in: &applicators)
    XCTAssertEqual(applicators.count, 1)
    XCTAssertEqual(a.latestAppliedValue, 1)
    XCTAssertEqual(parameter.apply(1).outcome, .success(1))
    XCTAssertEqual(asked.events, [], "it is at 1 already")
    XCTAssertEqual(
      parameter.apply(3).outcome,
      .failure(.cannotApply(Attempt(applicator: "a", value: "3"))))
    let (b, joined) = parameter.applicator(named: "b", synchronizing: 2)
    XCTAssertEqual(joined.outcome, .success(2))
    XCTAssertEqual([b.name, "\(b.latestAppliedValue ?? 0)"], ["b", "2"])
    XCTAssertEqual(asked.events, [2])
    parameter.applicator(timeout: .seconds(1)) { value async throws in asked.record(10 * value) }
      .store(in: &applicators)
    let synchronized = try await parameter.synchronizeApplicators().settled()
    XCTAssertEqual(synchronized, 2)
    XCTAssertEqual(asked.events, [2, 20])
    applicators = []
  }

  @MainActor
  func test_applyOnMainActor_runsOnTheMainActor() async throws {
    let a = parameter.applicator().applyOnMainActor { _ in MainActor.assertIsolated() }
    let applied = try await parameter.apply(3).settled()
    XCTAssertEqual(applied, 3)
    withExtendedLifetime(a) {}
  }

  func test_sinkWithOneClosure_ofAPublisherMadeFromAResult_receivesThatResult() {
    let record = Recorder<Result<Int, ParameterError>>()
    let tokens = [
      ResultPublisher<Int, ParameterError>.success(1).sink { record.record($0) },
      ResultPublisher<Int, ParameterError>.failure(.superseded).sink { record.record($0) },
    ]
    XCTAssertEqual(record.events, [.success(1), .failure(.superseded)])
    XCTAssertEqual(CurrentValuePublisher.constant(4).value, 4)
    withExtendedLifetime(tokens) {}
  }

  func test_storeSetBeforeTheFirstActivation_receivesTheSavedValues() throws {
    let controller = ProcessingController(scheduler: scheduler)
    let store = MemoryStore()
    XCTAssertNil(controller.store)
    controller.store = store
    let session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
    session.intensity.apply(0.25)
    controller.deactivate()
    XCTAssertEqual(store.session?["intensity"] as? Double, 0.25)
    XCTAssertIdentical(controller.store as? MemoryStore, store)
  }

  /// Setting a store too late ends the process. Therefore the test runs itself again in a child
  /// process.
  func test_storeSetAfterAnActivation_endsTheProcessWithAMessage() throws {
    let name = "SET_THE_STORE_LATE"
    if ProcessInfo.processInfo.environment[name] != nil {
      let controller = ProcessingController(scheduler: scheduler)
      try controller.activate(
        presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
      controller.deactivate()
      controller.store = MemoryStore()
      return
    }
    #if os(Linux)
      let folder = try ScratchFolder()
      let tests = try BuiltExecutable("HearingProcessingPackageTests.xctest")
      let outcome = try tests.run(
        ["HearingProcessingTests.AsyncApplicatorTests/\(#function.dropLast(2))"],
        in: folder.url,
        environment: [name: "1", "SWIFT_BACKTRACE": "enable=no"])
      XCTAssertNotEqual(outcome.exitCode, 0)
      #if DEBUG
        XCTAssertTrue(
          outcome.errors.contains("the store is set after a session was activated"),
          outcome.errors)
      #endif
      withExtendedLifetime(folder) {}
    #endif
  }
}

/// A scheduler that calls a closure each time its clock is read.
private struct EndingScheduler: DeadlineScheduler {
  private let scheduler: ManualScheduler
  private let timeIsRead: @Sendable () -> Void

  init(_ scheduler: ManualScheduler, timeIsRead: @escaping @Sendable () -> Void) {
    self.scheduler = scheduler
    self.timeIsRead = timeIsRead
  }

  var now: Duration {
    timeIsRead()
    return scheduler.now
  }

  func schedule(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> ObservationToken {
    scheduler.schedule(at: deadline, work)
  }
}
