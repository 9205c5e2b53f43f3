import HearingProcessing
import TestSupport
import XCTest

/// Tests the delivery modes. They give at least the guarantees of a debounce operator.
final class ProcessingParameterDeliveryTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let log = EventLog()
  private lazy var parameter = ProcessingParameter(0, scheduler: scheduler)

  private func apply(_ value: Int) {
    log.watch("\(value)", parameter.apply(value))
  }

  private func advance(_ seconds: Double) {
    scheduler.advance(by: .seconds(seconds))
  }

  /// A device that answers only when the test calls its `answer` function.
  private func slowDevice() -> (ProcessingApplicator<Int>, Device<Int>) {
    let device = Device<Int>("a", log, answers: nil)
    return (device.attach(parameter.applicator()), device)
  }

  // MARK: Continuous

  func test_deliveryMode_byDefault_isContinuous() {
    XCTAssertEqual(parameter.deliveryMode, .continuous)
  }

  func test_continuousMode_queuedValues_areAppliedFirstInFirstOut() {
    let (a, device) = slowDevice()
    for value in 1...3 { apply(value) }
    XCTAssertEqual(log.drain(), ["a? 1", "a 1"])
    device.answer()
    XCTAssertEqual(log.drain(), ["1 = 1", "1 finished", "a? 2", "a 2"])
    device.answer()
    XCTAssertEqual(log.drain(), ["2 = 2", "2 finished", "a? 3", "a 3"])
    device.answer()
    XCTAssertEqual(log.drain(), ["3 = 3", "3 finished"])
    XCTAssertEqual(a.latestAppliedValue, 3)
  }

  func test_continuousMode_afterAFailure_queuedValuesAreApplied() {
    let (a, device) = slowDevice()
    apply(1)
    apply(2)
    _ = log.drain()
    device.answer(.failure(DeviceFailure()))
    device.answer()
    XCTAssertEqual(
      log.events, ["1 failed: applyFailed(device)", "a? 2", "a 2", "2 = 2", "2 finished"])
    withExtendedLifetime(a) {}
  }

  // MARK: Latest

  func test_latestMode_newValue_supersedesQueuedValues() {
    parameter.deliveryMode = .latest
    let (a, device) = slowDevice()
    for value in 1...4 { apply(value) }
    XCTAssertEqual(
      log.drain(), ["a? 1", "a 1", "2 failed: superseded", "3 failed: superseded"])
    device.answer()
    device.answer()
    XCTAssertEqual(log.events, ["1 = 1", "1 finished", "a? 4", "a 4", "4 = 4", "4 finished"])
    withExtendedLifetime(a) {}
  }

  func test_latestMode_equalValue_supersedesTheQueuedValue() {
    parameter.deliveryMode = .latest
    let (a, device) = slowDevice()
    log.watch("first", parameter.apply(1))
    log.watch("second", parameter.apply(2))
    log.watch("third", parameter.apply(2))
    device.answer()
    device.answer()
    XCTAssertEqual(
      log.events,
      [
        "a? 1", "a 1", "second failed: superseded", "first = 1", "first finished", "a? 2", "a 2",
        "third = 2", "third finished",
      ])
    withExtendedLifetime(a) {}
  }

  func test_latestMode_withNothingInFlight_appliesTheValueImmediately() {
    parameter.deliveryMode = .latest
    apply(1)
    apply(2)
    XCTAssertEqual(log.events, ["1 = 1", "1 finished", "2 = 2", "2 finished"])
  }

  func test_latestMode_doesNotSupersedeASynchronizeRequest() {
    parameter.deliveryMode = .latest
    let (a, device) = slowDevice()
    apply(1)
    log.watch("synchronized", parameter.synchronizeApplicators())
    apply(2)
    apply(3)
    device.answer()
    device.answer()
    XCTAssertEqual(
      log.events,
      [
        "a? 1", "a 1", "2 failed: superseded", "1 = 1", "1 finished", "synchronized = 1",
        "synchronized finished", "a? 3", "a 3", "3 = 3", "3 finished",
      ])
    withExtendedLifetime(a) {}
  }

  func test_latestMode_debouncedValue_supersedesQueuedValuesWhenItsIntervalEnds() {
    let (a, device) = slowDevice()
    apply(1)
    apply(2)
    parameter.deliveryMode = .discrete(seconds: 1)
    apply(3)
    parameter.deliveryMode = .latest
    advance(1)
    device.answer()
    device.answer()
    XCTAssertEqual(
      log.events,
      [
        "a? 1", "a 1", "2 failed: superseded", "1 = 1", "1 finished", "a? 3", "a 3", "3 = 3",
        "3 finished",
      ])
    withExtendedLifetime(a) {}
  }

  // MARK: Discrete

  func test_discreteMode_burst_appliesItsLastValueOneIntervalAfterTheLastCall() {
    parameter.deliveryMode = .discrete(seconds: 0.2)
    log.watch("value", parameter.$value)
    apply(1)
    advance(0.1)
    apply(2)
    XCTAssertEqual(log.drain(), ["1 failed: superseded"])
    advance(0.15)
    apply(3)
    XCTAssertEqual(log.drain(), ["2 failed: superseded"])
    advance(0.199)
    XCTAssertEqual(log.drain(), [])
    advance(0.001)
    XCTAssertEqual(log.events, ["value 3", "3 = 3", "3 finished"])
  }

  func test_discreteMode_valuesFurtherApartThanTheInterval_areAllDelivered() {
    parameter.deliveryMode = .discrete(seconds: 0.2)
    log.watch("value", parameter.$value)
    for value in 1...3 {
      parameter.apply(value)
      advance(0.2)
    }
    XCTAssertEqual(log.events, ["value 1", "value 2", "value 3"])
  }

  func test_discreteMode_equalValue_supersedesTheWaitingValueAndRestartsTheInterval() {
    parameter.deliveryMode = .discrete(seconds: 0.2)
    log.watch("first", parameter.apply(1))
    advance(0.15)
    log.watch("second", parameter.apply(1))
    advance(0.15)
    XCTAssertEqual(log.events, ["first failed: superseded"])
    advance(0.05)
    XCTAssertEqual(
      log.events, ["first failed: superseded", "second = 1", "second finished"])
  }

  func test_discreteMode_valueEqualToTheCurrentValue_supersedesTheWaitingValue() {
    parameter.deliveryMode = .discrete(seconds: 0.2)
    apply(1)
    apply(0)
    advance(0.2)
    XCTAssertEqual(log.events, ["1 failed: superseded", "0 = 0", "0 finished"])
    XCTAssertEqual(parameter.value, 0)
  }

  func test_discreteMode_intervalThatEndsDuringASequence_queuesTheValue() {
    let (a, device) = slowDevice()
    apply(1)
    parameter.deliveryMode = .discrete(seconds: 0.2)
    apply(2)
    advance(0.2)
    apply(3)
    advance(0.2)
    XCTAssertEqual(log.drain(), ["a? 1", "a 1"])
    device.answer()
    device.answer()
    device.answer()
    XCTAssertEqual(
      log.events,
      [
        "1 = 1", "1 finished", "a? 2", "a 2", "2 = 2", "2 finished", "a? 3", "a 3", "3 = 3",
        "3 finished",
      ])
    withExtendedLifetime(a) {}
  }

  func test_discreteMode_canApply_isNotCalledBeforeTheIntervalHasPassed() {
    let device = Device<Int>("a", log)
    let a = device.attach(parameter.applicator())
    parameter.deliveryMode = .discrete(seconds: 0.2)
    device.isWilling = false
    apply(1)
    XCTAssertEqual(log.drain(), [])
    device.isWilling = true
    advance(0.2)
    XCTAssertEqual(log.events, ["a? 1", "a 1", "1 = 1", "1 finished"])
    withExtendedLifetime(a) {}
  }

  func test_discreteMode_withAnIntervalThatIsNotFiniteAndPositive_isContinuous() {
    for seconds: Double in [0, -1, .nan, .infinity, -.infinity] {
      parameter.deliveryMode = .discrete(seconds: seconds)
      XCTAssertEqual(parameter.deliveryMode, .continuous)
      apply(1)
      XCTAssertEqual(log.drain(), ["1 = 1", "1 finished"], "\(seconds)")
    }
  }

  func test_discreteMode_withAnyPositiveFiniteInterval_delaysTheValue() {
    for seconds: Double in [1e300, .greatestFiniteMagnitude, 1e-300, .leastNonzeroMagnitude] {
      parameter.deliveryMode = .discrete(seconds: seconds)
      apply(1)
      XCTAssertEqual(log.drain(), [], "\(seconds)")
      XCTAssertTrue(parameter.flush())
      XCTAssertEqual(log.drain(), ["1 = 1", "1 finished"])
    }
  }

  func test_discreteMode_everyCall_replacesTheTimer() {
    let counting = CountingScheduler(scheduler)
    let parameter = ProcessingParameter(0, scheduler: counting)
    parameter.deliveryMode = .discrete(seconds: 1)
    for value in 1...1_000 { parameter.apply(value) }
    XCTAssertEqual(counting.scheduled, 1_000)
    XCTAssertEqual(counting.pending, 1)
    advance(1)
    XCTAssertEqual(parameter.value, 1_000)
    XCTAssertEqual(counting.pending, 0)
  }

  func test_discreteMode_tokensOfACustomScheduler_areReleasedOutsideTheLock() {
    let log = log
    let held = Holder<ProcessingParameter<Int>>()
    let counting = CountingScheduler(scheduler) {
      held.value?.acquireEveryLock()
      log.note("cancelled")
    }
    let parameter = ProcessingParameter(0, scheduler: counting)
    held.value = parameter
    parameter.deliveryMode = .discrete(seconds: 1)
    parameter.apply(1)
    advance(0.5)
    parameter.apply(2)
    advance(1)
    advance(1)
    XCTAssertEqual(parameter.value, 2)
    parameter.apply(3)
    parameter.flush()
    XCTAssertEqual(log.events.count, counting.scheduled)
    held.value = nil
  }

  // MARK: Changes of mode

  func test_changingToContinuous_deliversAWaitingValueImmediately() {
    parameter.deliveryMode = .discrete(seconds: 1)
    apply(1)
    parameter.deliveryMode = .continuous
    XCTAssertEqual(log.events, ["1 = 1", "1 finished"])
    advance(2)
    XCTAssertEqual(log.events.count, 2)
  }

  func test_changingToAnInvalidInterval_deliversAWaitingValueImmediately() {
    parameter.deliveryMode = .discrete(seconds: 1)
    apply(1)
    parameter.deliveryMode = .discrete(seconds: .nan)
    XCTAssertEqual(log.events, ["1 = 1", "1 finished"])
  }

  func test_changingToLatestOrDiscrete_keepsTheDeadlineOfTheWaitingValue() {
    for mode in [DeliveryMode.latest, .discrete(seconds: 0.1), .discrete(seconds: 60)] {
      parameter.deliveryMode = .discrete(seconds: 1)
      apply(1)
      advance(0.5)
      parameter.deliveryMode = mode
      advance(0.499)
      XCTAssertEqual(log.drain(), [], "\(mode)")
      advance(0.001)
      XCTAssertEqual(log.drain(), ["1 = 1", "1 finished"], "\(mode)")
    }
  }

  func test_shorterInterval_isUsedFromTheNextCall() {
    parameter.deliveryMode = .discrete(seconds: 10)
    apply(1)
    parameter.deliveryMode = .discrete(seconds: 1)
    apply(2)
    advance(1)
    XCTAssertEqual(log.events, ["1 failed: superseded", "2 = 2", "2 finished"])
    advance(20)
    XCTAssertEqual(log.events.count, 3)
  }

  func test_longerInterval_isUsedFromTheNextCall() {
    parameter.deliveryMode = .discrete(seconds: 1)
    apply(1)
    parameter.deliveryMode = .discrete(seconds: 10)
    apply(2)
    advance(9.9)
    XCTAssertEqual(log.drain(), ["1 failed: superseded"])
    advance(0.1)
    XCTAssertEqual(log.drain(), ["2 = 2", "2 finished"])
  }

  func test_changingToLatest_nextValueSupersedesTheWaitingValue() {
    parameter.deliveryMode = .discrete(seconds: 1)
    apply(1)
    parameter.deliveryMode = .latest
    apply(2)
    XCTAssertEqual(log.events, ["1 failed: superseded", "2 = 2", "2 finished"])
    advance(2)
    XCTAssertEqual(parameter.value, 2)
  }

  func test_discreteMode_synchronizeApplicators_isImmediate_andTheValueStillWaits() {
    parameter.deliveryMode = .discrete(seconds: 1)
    apply(1)
    log.watch("synchronized", parameter.synchronizeApplicators())
    XCTAssertEqual(log.events, ["synchronized = 0", "synchronized finished"])
    advance(1)
    XCTAssertEqual(parameter.value, 1)
  }

  // MARK: Flush

  func test_flush_deliversAWaitingValueNow() {
    parameter.deliveryMode = .discrete(seconds: 1)
    apply(1)
    XCTAssertTrue(parameter.flush())
    XCTAssertEqual(log.events, ["1 = 1", "1 finished"])
    XCTAssertFalse(parameter.flush())
    advance(5)
    XCTAssertEqual(log.events.count, 2)
    apply(2)
    advance(1)
    XCTAssertEqual(parameter.value, 2)
  }

  func test_flush_withNothingWaiting_returnsFalse() {
    XCTAssertFalse(parameter.flush())
    parameter.deliveryMode = .discrete(seconds: 1)
    XCTAssertFalse(parameter.flush())
  }

  func test_flush_whileASequenceIsInFlight_queuesTheValue() {
    let (a, device) = slowDevice()
    apply(1)
    parameter.deliveryMode = .discrete(seconds: 1)
    apply(2)
    XCTAssertTrue(parameter.flush())
    device.answer()
    device.answer()
    XCTAssertEqual(log.events.last, "2 finished")
    withExtendedLifetime(a) {}
  }
}
