import Observation
import TestSupport
import XCTest

@testable import HearingProcessing

/// Tests results, the order of notifications, and validation.
final class ProcessingParameterTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let log = EventLog()
  private lazy var parameter = ProcessingParameter(0, scheduler: scheduler)

  // MARK: Results

  func test_releasingTheParameter_endsItsPublishers() async {
    var parameter: ProcessingParameter<Int>? = ProcessingParameter(0, scheduler: ManualScheduler())
    let ended = Recorder<String>()
    let (valueSource, stateSource) = (
      parameter?.access.lane.values, parameter?.access.lane.statuses
    )
    let tokens = [
      valueSource?.sink(finish: { ended.record("value") }) { _ in },
      stateSource?.sink(finish: { ended.record("updateState") }) { _ in },
    ]
    defer { withExtendedLifetime((tokens, valueSource, stateSource)) {} }
    let values = parameter?.$value.values
    let states = parameter?.$updateState.values
    let publisher = parameter?.$value
    var valueIterator = values?.makeAsyncIterator()
    var stateIterator = states?.makeAsyncIterator()
    parameter = nil
    XCTAssertEqual(ended.events, ["value", "updateState"])
    guard ended.events.count == 2 else { return }
    var seen = 0
    while await valueIterator?.next(isolation: nil) != nil { seen += 1 }
    while await stateIterator?.next(isolation: nil) != nil { seen += 1 }
    XCTAssertLessThanOrEqual(seen, 2)
    withExtendedLifetime(publisher) {}
  }

  func test_apply_withoutASubscriber_runs() {
    parameter.apply(1)
    XCTAssertEqual(parameter.value, 1)
  }

  func test_apply_runsOnce_andLateSubscribersReceiveItsResult() {
    let device = Device<Int>("a", log)
    let a = device.attach(parameter.applicator())
    let result = parameter.apply(1)
    log.watch("early", result)
    parameter.apply(2)
    log.watch("late", result)
    XCTAssertEqual(
      log.events,
      ["a? 1", "a 1", "early = 1", "early finished", "a? 2", "a 2", "late = 1", "late finished"])
    withExtendedLifetime(a) {}
  }

  func test_cancellingTheTokenOfTheResult_doesNotStopTheSequence() {
    let device = Device<Int>("a", log, answers: nil)
    let a = device.attach(parameter.applicator())
    let log = log
    let cancelled = parameter.apply(1).sink { _ in
      log.note("notified")
    } receiveValue: { _ in
      log.note("notified")
    }
    cancelled.cancel()
    _ = parameter.apply(2).sink { _ in
      log.note("notified")
    } receiveValue: { _ in
      log.note("notified")
    }
    device.answer()
    device.answer()
    XCTAssertEqual(parameter.value, 2)
    XCTAssertFalse(log.events.contains("notified"))
    withExtendedLifetime(a) {}
  }

  func test_apply_whenEveryApplicatorAnswersImmediately_finishesBeforeItReturns() {
    let applicators = (0..<3).map { _ in parameter.applicator().apply { $1(.success) } }
    parameter.apply(1)
    XCTAssertEqual(parameter.value, 1)
    XCTAssertEqual(applicators.map(\.latestAppliedValue), [1, 1, 1])
  }

  func test_get_returnsTheValue_orThrowsTheParameterError() async throws {
    let value = try await parameter.apply(3).get()
    XCTAssertEqual(value, 3)
    let a = parameter.applicator().apply { $1(.failure(DeviceFailure())) }
    do {
      _ = try await parameter.apply(4).get()
      XCTFail("the device failed")
    } catch ParameterError.applyFailed(let error, _) {
      XCTAssertTrue(error is DeviceFailure)
    }
    withExtendedLifetime(a) {}
  }

  func test_get_inACancelledTask_doesNotStopTheSequence() async {
    let device = Device<Int>("a", log, answers: nil)
    let a = device.attach(parameter.applicator())
    let result = parameter.apply(1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await result.get()
    }
    let outcome = await task.result
    XCTAssertThrowsError(try outcome.get()) { XCTAssertTrue($0 is CancellationError) }
    device.answer()
    XCTAssertEqual(parameter.value, 1)
    withExtendedLifetime(a) {}
  }

  // MARK: Order of notifications

  func test_apply_storesTheValue_thenNotifiesValueUpdateStateAndResultInOrder() {
    let parameter = parameter
    let log = log
    let device = Device<Int>("a", log, answers: nil)
    let a = device.attach(parameter.applicator())
    let token = parameter.$value.sink { value in
      log.note("value \(value), reads \(parameter.value), \(parameter.updateState.words)")
    }
    log.watchUpdates(of: parameter)
    log.watch("result", parameter.apply(1))
    _ = log.drain()
    device.answer()
    XCTAssertEqual(
      log.events,
      ["value 1, reads 1, applied", "applied", "result = 1", "result finished"])
    token.cancel()
    withExtendedLifetime(a) {}
  }

  func test_notifications_ofOneValue_areDeliveredBeforeTheNextSequenceBegins() {
    let device = Device<Int>("a", log, answers: nil)
    let a = device.attach(parameter.applicator())
    log.watch("value", parameter.$value)
    log.watch("first", parameter.apply(1))
    log.watch("second", parameter.apply(2))
    _ = log.drain()
    device.answer()
    XCTAssertEqual(log.events, ["value 1", "first = 1", "first finished", "a? 2", "a 2"])
    withExtendedLifetime(a) {}
  }

  /// SwiftUI first reads a value and then registers its observer. The value changes between these
  /// two steps.
  @MainActor
  func test_withObservationTracking_onTheMainActor_isNotifiedOfAnEarlierChange() async {
    let parameter = ProcessingParameter(0, scheduler: ManualScheduler())
    let changed = expectation(description: "the observer is notified")
    withObservationTracking {
      XCTAssertEqual(parameter.value, 0)
      let applied = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        parameter.apply(1)
        applied.signal()
      }
      applied.wait()
    } onChange: {
      changed.fulfill()
    }
    await fulfillment(of: [changed], timeout: 10)
    XCTAssertEqual(parameter.value, 1)
  }

  func test_withObservationTracking_isNotifiedAfterTheValueIsStored() {
    let parameter = parameter
    let log = log
    withObservationTracking {
      _ = parameter.value
    } onChange: {
      log.note("changed to \(parameter.$value.value)")
    }
    withObservationTracking {
      _ = parameter.updateState
    } onChange: {
      log.note("state changed")
    }
    parameter.apply(0)
    XCTAssertEqual(log.events, [])
    parameter.apply(1)
    parameter.apply(2)
    XCTAssertEqual(log.events, ["changed to 1"])
  }

  // MARK: Refused values

  func test_validate_returningFalse_failsTheResult_andTheWaitingValueIsStillApplied() {
    let parameter = ProcessingParameter(0, scheduler: scheduler) { $0 < 10 }
    parameter.deliveryMode = .discrete(seconds: 1)
    let device = Device<Int>("a", log)
    let a = device.attach(parameter.applicator())
    log.watchUpdates(of: parameter)
    log.watch("waiting", parameter.apply(1))
    _ = log.drain()
    log.watch("bad", parameter.apply(10))
    XCTAssertEqual(log.drain(), ["bad failed: invalidValue"])
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(
      log.events,
      ["applying 1", "a? 1", "a 1", "applied", "waiting = 1", "waiting finished"])
    withExtendedLifetime(a) {}
  }

  func test_apply_ofNaN_failsWithAndWithoutValidation() {
    let validated = ProcessingParameter(Float(1), scheduler: scheduler) {
      $0.isFinite && (0...1).contains($0)
    }
    let free = ProcessingParameter(Float(1), scheduler: scheduler)
    for parameter in [validated, free] {
      log.watch("nan", parameter.apply(.nan))
      XCTAssertEqual(log.drain(), ["nan failed: invalidValue"])
      XCTAssertEqual(parameter.value, 1)
    }
    for bad: Float in [-0.001, 1.001, .infinity, -.infinity] {
      log.watch("bad", validated.apply(bad))
      XCTAssertEqual(log.drain(), ["bad failed: invalidValue"])
    }
    for good: Float in [0, -0.0, 1, .leastNonzeroMagnitude] {
      log.watch("good", validated.apply(good))
      XCTAssertEqual(log.drain().last, "good finished")
    }
  }

  // MARK: Lifetimes

  func test_releasedParameter_completesPendingRequests() {
    let device = Device<Int>("a", log, answers: nil)
    var released: ProcessingParameter<Int>? = ProcessingParameter(0, scheduler: scheduler)
    let a = released.map { device.attach($0.applicator()) }
    if let parameter = released {
      log.watch("value", parameter.$value)
      log.watch("first", parameter.apply(1))
      log.watch("second", parameter.apply(2))
    }
    weak let weakParameter = released
    released = nil
    XCTAssertNil(weakParameter)
    device.answer()
    device.answer()
    XCTAssertEqual(
      log.events,
      [
        "a? 1", "a 1", "value 1", "first = 1", "first finished", "a? 2", "a 2", "value 2",
        "second = 2", "second finished",
      ])
    XCTAssertEqual(a?.latestAppliedValue, 2)
  }

  func test_releasedParameter_deliversAWaitingValue() {
    var released: ProcessingParameter<Int>? = ProcessingParameter(0, scheduler: scheduler)
    released?.deliveryMode = .discrete(seconds: 1)
    if let parameter = released {
      log.watch("value", parameter.$value)
      log.watch("result", parameter.apply(1))
    }
    released = nil
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(log.events, ["value 1", "result = 1", "result finished"])
  }

  func test_releasedParameter_freesItsValuesAfterTheLastSequence() {
    let scheduler = CountingScheduler(scheduler)
    let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
    weak var applicator: ProcessingApplicator<Boxed>?
    do {
      let log = log
      let parameter = ProcessingParameter(
        Boxed(0) { log.note("first value freed") }, scheduler: scheduler)
      let a = parameter.applicator().timeout(5).apply { answers.record($1) }
      applicator = a
      parameter.apply(Boxed(1) { log.note("second value freed") })
    }
    XCTAssertNil(applicator)
    XCTAssertEqual(scheduler.pending, 0)
    XCTAssertEqual(log.events, ["first value freed"])
    answers.events[0](.success)
    XCTAssertEqual(log.events, ["first value freed"], "the answer's holder keeps the state")
  }

  func test_values_ofAReleasedParameter_endAfterItsLastSequence() async {
    let device = Device<Int>("a", log, answers: nil)
    var released: ProcessingParameter<Int>? = ProcessingParameter(0, scheduler: scheduler)
    let a = released.map { device.attach($0.applicator()) }
    let values = released?.$value.values
    var iterator = values?.makeAsyncIterator()
    released?.apply(1)
    released = nil
    let first = await iterator?.next(isolation: nil)
    XCTAssertEqual(first, 0)
    device.answer()
    let second = await iterator?.next(isolation: nil)
    let end = await iterator?.next(isolation: nil)
    XCTAssertEqual(second, 1)
    XCTAssertNil(end)
    withExtendedLifetime(a) {}
  }

  func test_applicatorThatOutlivesItsParameter_canBeReadConfiguredAndCancelled() {
    var released: ProcessingParameter<Int>? = ProcessingParameter(0, scheduler: scheduler)
    let a = released?.applicator().apply { $1(.success) }
    released?.apply(1)
    released = nil
    XCTAssertEqual(a?.latestAppliedValue, 1)
    a?.canApply { _ in true }.timeout(1).cancel()
  }
}
