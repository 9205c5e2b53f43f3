import HearingProcessing
import TestSupport
import XCTest

/// Tests `applicator(synchronizing:)`. This method adds an applicator for a target that already has
/// a value.
final class SynchronizingApplicatorTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let log = EventLog()
  private lazy var parameter = ProcessingParameter(0, scheduler: scheduler)

  private func applicator(
    _ name: String, answers immediate: ApplicationResult? = .success
  ) -> (ProcessingApplicator<Int>, Device<Int>) {
    let device = Device<Int>(name, log, answers: immediate)
    return (device.attach(parameter.applicator()), device)
  }

  func test_newApplicator_isOutOfDate_andIsNotCalledAtRegistration() {
    parameter.apply(1)
    let (a, _) = applicator("a")
    scheduler.advance(by: .seconds(100))
    XCTAssertEqual(log.events, [])
    XCTAssertNil(a.latestAppliedValue)
    parameter.apply(2)
    XCTAssertEqual(log.events, ["a? 2", "a 2"])
  }

  func test_synchronizing_updatesTheParameterAndOtherApplicators_notTheNewApplicator() {
    let (a, _) = applicator("a")
    log.watch("value", parameter.$value)
    let (b, result) = parameter.applicator(synchronizing: 5)
    Device<Int>("b", log).attach(b)
    log.watch("result", result)
    XCTAssertEqual(log.events, ["a? 5", "a 5", "value 5", "result = 5", "result finished"])
    XCTAssertEqual([a, b].map(\.latestAppliedValue), [5, 5])
    _ = log.drain()
    parameter.apply(6)
    XCTAssertEqual(log.events, ["a? 6", "b? 6", "a 6", "b 6", "value 6"])
  }

  func test_synchronizing_inDiscreteMode_isImmediate_andSupersedesTheWaitingValue() {
    parameter.deliveryMode = .discrete(seconds: 1)
    log.watch("waiting", parameter.apply(3))
    let (b, result) = parameter.applicator(synchronizing: 5)
    log.watch("result", result)
    XCTAssertEqual(
      log.events, ["waiting failed: superseded", "result = 5", "result finished"])
    scheduler.advance(by: .seconds(2))
    XCTAssertEqual(parameter.value, 5)
    withExtendedLifetime(b) {}
  }

  func test_synchronizing_withAnEqualValue_supersedesADebouncedValue() {
    parameter.deliveryMode = .discrete(seconds: 1)
    log.watch("waiting", parameter.apply(3))
    let (b, result) = parameter.applicator(synchronizing: 3)
    log.watch("result", result)
    XCTAssertEqual(
      log.events, ["waiting failed: superseded", "result = 3", "result finished"])
    withExtendedLifetime(b) {}
  }

  func test_synchronizing_whileASequenceIsInFlight_isQueued() {
    let (a, deviceA) = applicator("a", answers: nil)
    log.watch("first", parameter.apply(1))
    let (b, result) = parameter.applicator(synchronizing: 5)
    log.watch("result", result)
    XCTAssertEqual(b.latestAppliedValue, 5)
    deviceA.answer()
    deviceA.answer()
    XCTAssertEqual(
      log.events,
      [
        "a? 1", "a 1", "first = 1", "first finished", "a? 5", "a 5", "result = 5",
        "result finished",
      ])
    XCTAssertEqual(parameter.value, 5)
    XCTAssertEqual([a, b].map(\.latestAppliedValue), [5, 5])
  }

  func test_synchronizing_inContinuousMode_waitsBehindEarlierValues() {
    let (events, latest) = synchronizeBetweenWaitingValues(.continuous)
    XCTAssertEqual(
      events,
      [
        "a? 1", "a 1", "first = 1", "first finished",
        "a? 2", "b? 2", "a 2", "b 2", "waiting = 2", "waiting finished",
        "a? 5", "b? 5", "a 5", "b 5", "result = 5", "result finished",
        "a? 6", "b? 6", "a 6", "b 6", "next = 6", "next finished",
      ])
    XCTAssertEqual(latest, [6, 6])
  }

  func test_synchronizing_inLatestMode_supersedesTheWaitingValue_andIsSuperseded() {
    let (events, latest) = synchronizeBetweenWaitingValues(.latest)
    XCTAssertEqual(
      events,
      [
        "a? 1", "a 1", "waiting failed: superseded", "result failed: superseded",
        "first = 1", "first finished",
        "a? 6", "b? 6", "a 6", "b 6", "next = 6", "next finished",
      ])
    XCTAssertEqual(latest, [6, 6])
  }

  /// Applies 1 and 2, adds an applicator with the value 5, and then applies 6. The first device
  /// answers only after all these calls.
  private func synchronizeBetweenWaitingValues(
    _ mode: DeliveryMode
  ) -> (events: [String], latest: [Int?]) {
    parameter.deliveryMode = mode
    let (a, deviceA) = applicator("a", answers: nil)
    log.watch("first", parameter.apply(1))
    log.watch("waiting", parameter.apply(2))
    let (b, result) = parameter.applicator(synchronizing: 5)
    Device<Int>("b", log).attach(b)
    log.watch("result", result)
    log.watch("next", parameter.apply(6))
    for _ in 0..<4 { deviceA.answer() }
    return (log.events, [a, b].map(\.latestAppliedValue))
  }

  func test_synchronizing_thatFails_leavesTheNewApplicatorOutOfDate() {
    let (a, deviceA) = applicator("a", answers: .failure(DeviceFailure()))
    let (b, result) = parameter.applicator(synchronizing: 5)
    Device<Int>("b", log).attach(b)
    log.watch("result", result)
    XCTAssertEqual(log.drain(), ["a? 5", "a 5", "result failed: applyFailed(device)"])
    XCTAssertEqual(b.latestAppliedValue, 5)
    XCTAssertEqual(parameter.value, 0)
    deviceA.immediate = .success
    parameter.synchronizeApplicators()
    XCTAssertEqual(log.drain(), ["a? 0", "b? 0", "a 0", "b 0"])
    withExtendedLifetime(a) {}
  }

  func test_synchronizing_withAnInvalidValue_fails_andTheApplicatorIsOutOfDate() {
    let parameter = ProcessingParameter(Float(0), scheduler: scheduler) { (0...1).contains($0) }
    for bad in [Float.nan, 2] {
      let (a, result) = parameter.applicator(synchronizing: bad)
      Device<Float>("a", log).attach(a)
      log.watch("result", result)
      XCTAssertEqual(log.drain(), ["result failed: invalidValue"])
      XCTAssertNil(a.latestAppliedValue)
      parameter.synchronizeApplicators()
      XCTAssertEqual(log.drain(), ["a? 0.0", "a 0.0"])
    }
  }

  func test_synchronizing_insideASubscriber_isExecutedNext() {
    let joined = Holder<ProcessingApplicator<Int>>()
    let log = log
    let parameter = parameter
    let token = parameter.$value.sink { value in
      guard value == 1 else { return }
      let (applicator, result) = parameter.applicator(synchronizing: 2)
      joined.value = applicator
      log.watch("inner", result)
    }
    log.watch("outer", parameter.apply(1))
    XCTAssertEqual(
      log.events, ["inner = 2", "inner finished", "outer = 1", "outer finished"])
    XCTAssertEqual(parameter.value, 2)
    token.cancel()
  }
}
