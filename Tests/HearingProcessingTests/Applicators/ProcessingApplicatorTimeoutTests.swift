import HearingProcessing
import TestSupport
import XCTest

final class ProcessingApplicatorTimeoutTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let log = EventLog()
  private lazy var parameter = ProcessingParameter(0, scheduler: scheduler)

  private func applicator(
    _ name: String, answers immediate: ApplicationResult? = nil
  ) -> (ProcessingApplicator<Int>, Device<Int>) {
    let device = Device<Int>(name, log, answers: immediate)
    return (device.attach(parameter.applicator()), device)
  }

  func test_timeout_failsTheResult_andClearsTheLatestAppliedValue() {
    let (a, device) = applicator("a", answers: .success)
    parameter.apply(1)
    _ = a.timeout(0.5)
    device.immediate = nil
    _ = log.drain()
    log.watch("value", parameter.$value)
    log.watch("result", parameter.apply(2))
    scheduler.advance(by: .seconds(0.499))
    XCTAssertEqual(log.drain(), ["a? 2", "a 2"])
    XCTAssertEqual(a.latestAppliedValue, 1)
    scheduler.advance(by: .seconds(0.001))
    XCTAssertEqual(log.drain(), ["result failed: applyTimeoutExceeded"])
    XCTAssertNil(a.latestAppliedValue)
    XCTAssertEqual(parameter.value, 1)
  }

  func test_timeout_byDefault_isTenSeconds() {
    let (a, _) = applicator("a")
    log.watch("result", parameter.apply(1))
    scheduler.advance(by: .seconds(9.999))
    XCTAssertEqual(log.drain(), ["a? 1", "a 1"])
    scheduler.advance(by: .seconds(0.001))
    XCTAssertEqual(log.events, ["result failed: applyTimeoutExceeded"])
    withExtendedLifetime(a) {}
  }

  func test_timeout_ofAZeroNegativeOrNonFiniteDuration_neverExpires() {
    for seconds: Double in [0, -1, .nan, .infinity, -.infinity] {
      let (a, device) = applicator("a")
      _ = a.timeout(seconds)
      let result = parameter.apply(parameter.value + 1)
      _ = log.drain()
      log.watch("result", result)
      scheduler.advance(by: .seconds(1e9))
      XCTAssertEqual(log.drain(), [], "\(seconds)")
      device.answer()
      XCTAssertEqual(log.drain().count, 2, "\(seconds)")
      a.cancel()
    }
  }

  func test_timeout_ofAnyFiniteLength_isAccepted() {
    for seconds: Double in [1e300, .greatestFiniteMagnitude, 1e-300, .leastNonzeroMagnitude] {
      let (a, device) = applicator("a")
      _ = a.timeout(seconds)
      let result = parameter.apply(parameter.value + 1)
      log.watch("result", result)
      _ = log.drain()
      scheduler.advance(by: .seconds(1))
      device.answer()
      XCTAssertEqual(
        log.drain().first,
        seconds > 1 ? "result = \(parameter.value)" : "result failed: applyTimeoutExceeded")
      a.cancel()
    }
  }

  func test_timeout_startsWhenTheApplicatorIsCalled_notWhenTheSequenceBegins() {
    let (a, deviceA) = applicator("a")
    let (b, deviceB) = applicator("b")
    _ = a.timeout(1)
    _ = b.timeout(1)
    log.watch("result", parameter.apply(1))
    scheduler.advance(by: .seconds(0.9))
    deviceA.answer()
    scheduler.advance(by: .seconds(0.9))
    XCTAssertEqual(log.drain(), ["a? 1", "b? 1", "a 1", "b 1"])
    deviceB.answer()
    XCTAssertEqual(log.events, ["result = 1", "result finished"])
  }

  func test_timeout_withASlowHandler_startsWhenTheHandlerIsCalled() {
    let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
    let a = parameter.applicator().timeout(1).apply { [scheduler] _, answer in
      scheduler.advance(by: .seconds(0.75))
      answers.record(answer)
    }
    log.watch("result", parameter.apply(1))
    scheduler.advance(by: .seconds(0.24))
    XCTAssertEqual(log.events, [])
    scheduler.advance(by: .seconds(0.01))
    XCTAssertEqual(log.events, ["result failed: applyTimeoutExceeded"])
    withExtendedLifetime(a) {}
  }

  func test_answerAfterTheTimeout_isIgnored_andTheApplicatorStaysOutOfDate() {
    let (a, device) = applicator("a")
    let (b, _) = applicator("b", answers: .success)
    _ = a.timeout(1)
    log.watch("result", parameter.apply(1))
    scheduler.advance(by: .seconds(1))
    device.answer(.success)
    XCTAssertEqual(log.drain(), ["a? 1", "b? 1", "a 1", "result failed: applyTimeoutExceeded"])
    XCTAssertNil(a.latestAppliedValue)
    XCTAssertNil(b.latestAppliedValue)
    device.immediate = .success
    log.watch("again", parameter.apply(1))
    XCTAssertEqual(
      log.events, ["a? 1", "b? 1", "a 1", "b 1", "again = 1", "again finished"])
  }

  func test_lateAnswerToAnEarlierCall_doesNotAnswerTheNextCall() {
    let (a, device) = applicator("a")
    _ = a.timeout(1)
    parameter.apply(1)
    scheduler.advance(by: .seconds(1))
    log.watch("second", parameter.apply(2))
    _ = log.drain()
    device.answer(.failure(DeviceFailure()))
    XCTAssertEqual(log.drain(), [])
    device.answer(.success)
    XCTAssertEqual(log.drain(), ["second = 2", "second finished"])
    XCTAssertEqual(a.latestAppliedValue, 2)
  }

  func test_answerInTime_cancelsTheTimeout() {
    let (a, device) = applicator("a")
    _ = a.timeout(1)
    log.watch("first", parameter.apply(1))
    device.answer()
    log.watch("second", parameter.apply(2))
    _ = log.drain()
    scheduler.advance(by: .seconds(0.5))
    scheduler.advance(by: .seconds(0.4))
    device.answer()
    scheduler.advance(by: .seconds(60))
    XCTAssertEqual(log.events, ["second = 2", "second finished"])
    XCTAssertEqual(a.latestAppliedValue, 2)
  }

  func test_answerInTime_cancelsTheTimeoutBeforeTheNextApplicatorIsCalled() {
    let log = log
    let counting = CountingScheduler(scheduler) { log.note("withdrawn") }
    let parameter = ProcessingParameter(0, scheduler: counting)
    let a = Device<Int>("a", log, answers: nil)
    let b = Device<Int>("b", log)
    let applicators = [a, b].map { $0.attach(parameter.applicator()) }
    parameter.apply(1)
    _ = log.drain()
    a.answer()
    XCTAssertEqual(log.events, ["withdrawn", "b 1"])
    withExtendedLifetime(applicators) {}
  }

  func test_timeoutChangedBeforeTheAnswer_isUsedFromTheNextCall() {
    let (a, device) = applicator("a")
    _ = a.timeout(1)
    log.watch("first", parameter.apply(1))
    _ = a.timeout(5)
    _ = log.drain()
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(log.drain(), ["first failed: applyTimeoutExceeded"])
    log.watch("second", parameter.apply(1))
    scheduler.advance(by: .seconds(4))
    device.forget()
    device.answer()
    XCTAssertEqual(log.drain().last, "second finished")
  }

  func test_timeout_endsTheSequence_andTheQueuedSequenceStarts() {
    let (a, device) = applicator("a")
    _ = a.timeout(1)
    log.watch("first", parameter.apply(1))
    log.watch("second", parameter.apply(2))
    device.immediate = .success
    _ = log.drain()
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(
      log.events,
      ["first failed: applyTimeoutExceeded", "a? 2", "a 2", "second = 2", "second finished"])
    XCTAssertEqual(a.latestAppliedValue, 2)
  }

  func test_tokensOfACustomScheduler_areReleasedOutsideTheLock() {
    let held = Holder<ProcessingParameter<Int>>()
    let log = log
    let counting = CountingScheduler(scheduler) {
      held.value?.acquireEveryLock()
      log.note("cancelled")
    }
    let parameter = ProcessingParameter(0, scheduler: counting)
    held.value = parameter
    let device = Device<Int>("a", EventLog(), answers: nil)
    let a = device.attach(parameter.applicator())
    parameter.apply(1)
    device.answer()
    parameter.apply(2)
    scheduler.advance(by: .seconds(10))
    device.forget()
    parameter.apply(3)
    a.cancel()
    XCTAssertEqual(counting.scheduled, 3)
    XCTAssertEqual(log.events, ["cancelled", "cancelled", "cancelled"])
    held.value = nil
  }

  /// While an interruption waits for another value to be applied, it has its own timer.
  func test_timerOfAWaitingInterruption_isReleasedOutsideTheLock() throws {
    let held = Holder<ProcessingSession>()
    let counting = CountingScheduler(scheduler) { _ = held.value?.isEnabled.deliveryMode }
    let session = try ProcessingController(scheduler: counting).activate(
      presetDataSource: .default(.init(fitting: .techLevel(1))))
    held.value = session
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    let interrupted = session.interrupt(reason: "test")
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(device.asked, [true, false])
    device.answer()
    device.answer()
    XCTAssertEqual(interrupted.valueNow, true)
    XCTAssertEqual(counting.pending, 0)
    held.value = nil
  }

  func test_deactivate_whileAnInterruptionWaits_leavesNoPendingWork() throws {
    let counting = CountingScheduler(scheduler)
    let controller = ProcessingController(scheduler: counting)
    let session = try controller.activate(
      presetDataSource: .default(.init(fitting: .techLevel(1))))
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    session.interrupt(reason: "test")
    XCTAssertEqual(counting.pending, 2)
    controller.deactivate()
    XCTAssertEqual(counting.pending, 0)
    withExtendedLifetime(device) {}
  }

  func test_timeouts_useTheParametersScheduler_andLeaveNoPendingWork() {
    let counting = CountingScheduler(scheduler)
    let parameter = ProcessingParameter(0, scheduler: counting)
    let device = Device<Int>("a", log, answers: nil)
    let a = device.attach(parameter.applicator())
    for value in 1...10 {
      parameter.apply(value)
      XCTAssertEqual(counting.pending, 1)
      device.answer()
      XCTAssertEqual(counting.pending, 0)
    }
    parameter.apply(11)
    scheduler.advance(by: .seconds(10))
    XCTAssertEqual(counting.pending, 0)
    device.immediate = .success
    parameter.apply(12)
    XCTAssertEqual(counting.scheduled, 11, "an answer at once needs no timer")
    withExtendedLifetime(a) {}
  }
}
