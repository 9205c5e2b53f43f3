import Foundation
import HearingProcessing
import Synchronization
import TestSupport
import XCTest

/// Tests which applicators are called when a value is applied, and in which order. Also tests their
/// latest applied values.
final class ProcessingApplicatorTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let log = EventLog()
  private lazy var parameter = ProcessingParameter(0, scheduler: scheduler)

  private func applicator(
    _ name: String, answers immediate: ApplicationResult? = .success
  ) -> (ProcessingApplicator<Int>, Device<Int>) {
    let device = Device<Int>(name, log, answers: immediate)
    return (device.attach(parameter.applicator()), device)
  }

  private let failure = ApplicationResult.failure(DeviceFailure())

  // MARK: Which applicators are called

  func test_apply_withoutApplicators_setsTheValue() {
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["result = 1", "result finished"])
    XCTAssertEqual(parameter.value, 1)
  }

  func test_apply_asksEveryOutOfDateApplicatorInOrder_beforeTheFirstApplicatorApplies() {
    let (a, _) = applicator("a")
    let (b, _) = applicator("b")
    let (c, _) = applicator("c")
    log.watch("value", parameter.$value)
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(
      log.events,
      [
        "a? 1", "b? 1", "c? 1", "a 1", "b 1", "c 1", "value 1", "result = 1", "result finished",
      ])
    XCTAssertEqual([a, b, c].map(\.latestAppliedValue), [1, 1, 1])
  }

  func test_apply_skipsUpToDateApplicators() {
    let (a, _) = applicator("a")
    parameter.apply(1)
    let (b, _) = applicator("b")
    _ = log.drain()
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["b? 1", "b 1", "result = 1", "result finished"])
    XCTAssertEqual([a, b].map(\.latestAppliedValue), [1, 1])
  }

  func test_apply_equalValueWhenAllApplicatorsAreUpToDate_succeedsAndIsNotPublishedAgain() {
    let (a, _) = applicator("a")
    parameter.apply(1)
    _ = log.drain()
    log.watch("value", parameter.$value)
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["result = 1", "result finished"])
    withExtendedLifetime(a) {}
  }

  func test_canApply_returningFalse_failsTheResult_andNoApplicatorApplies() {
    let (a, _) = applicator("a")
    let (b, deviceB) = applicator("b")
    let (c, _) = applicator("c")
    deviceB.isWilling = false
    log.watch("value", parameter.$value)
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["a? 1", "b? 1", "result failed: cannotApply"])
    XCTAssertEqual(parameter.value, 0)
    XCTAssertEqual([a, b, c].map(\.latestAppliedValue), [nil, nil, nil])
  }

  func test_withoutACanApplyHandler_theApplicatorAcceptsEveryValue() {
    let applicator = parameter.applicator().apply { [log] value, answer in
      log.note("a \(value)")
      answer(.success)
    }
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["a 1", "result = 1", "result finished"])
    withExtendedLifetime(applicator) {}
  }

  func test_applicatorWithoutAnApplyHandler_isNotCalled_andStaysOutOfDate() {
    let unfinished = parameter.applicator().canApply { [log] _ in
      log.note("asked")
      return false
    }
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.drain(), ["result = 1", "result finished"])
    XCTAssertNil(unfinished.latestAppliedValue)
    _ = unfinished.canApply { _ in true }.apply { [log] value, answer in
      log.note("applied \(value)")
      answer(.success)
    }
    XCTAssertEqual(log.drain(), [])
    log.watch("result", parameter.synchronizeApplicators())
    XCTAssertEqual(log.events, ["applied 1", "result = 1", "result finished"])
    XCTAssertEqual(unfinished.latestAppliedValue, 1)
  }

  func test_handlers_canBeReplaced() {
    let (a, _) = applicator("a")
    _ = a.apply { [log] value, answer in
      log.note("new \(value)")
      answer(.success)
    }
    parameter.apply(1)
    XCTAssertEqual(log.events, ["a? 1", "new 1"])
  }

  // MARK: One after the other

  func test_applicators_areCalledOneByOne_afterThePreviousAnswer() {
    let (a, deviceA) = applicator("a", answers: nil)
    let (b, deviceB) = applicator("b", answers: nil)
    log.watch("value", parameter.$value)
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.drain(), ["a? 1", "b? 1", "a 1"])
    deviceA.answer()
    XCTAssertEqual(log.drain(), ["b 1"])
    XCTAssertEqual(a.latestAppliedValue, 1)
    XCTAssertNil(b.latestAppliedValue)
    XCTAssertEqual(parameter.value, 0)
    deviceB.answer()
    XCTAssertEqual(log.drain(), ["value 1", "result = 1", "result finished"])
  }

  func test_firstFailure_endsTheSequence_andTheParameterKeepsItsValue() {
    let (a, _) = applicator("a")
    let (b, _) = applicator("b", answers: failure)
    let (c, _) = applicator("c")
    log.watch("value", parameter.$value)
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(
      log.events, ["a? 1", "b? 1", "c? 1", "a 1", "b 1", "result failed: applyFailed(device)"])
    XCTAssertEqual(parameter.value, 0)
    XCTAssertEqual([a, b, c].map(\.latestAppliedValue), [1, nil, nil])
  }

  func test_failedApply_keepsTheLatestAppliedValueOfTheApplicator() {
    let (a, device) = applicator("a")
    parameter.apply(1)
    device.immediate = failure
    parameter.apply(2)
    XCTAssertEqual(a.latestAppliedValue, 1)
    XCTAssertEqual(parameter.value, 1)
  }

  func test_apply_ofTheSameValueAfterAFailedSequence_skipsApplicatorsThatHaveTheValue() {
    let (a, _) = applicator("a")
    let (b, deviceB) = applicator("b", answers: failure)
    parameter.apply(1)
    deviceB.immediate = .success
    _ = log.drain()
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["b? 1", "b 1", "result = 1", "result finished"])
    XCTAssertEqual([a, b].map(\.latestAppliedValue), [1, 1])
  }

  func test_apply_afterAFailedSequence_updatesApplicatorsThatHaveTheFailedValue() {
    let (a, _) = applicator("a")
    let (b, deviceB) = applicator("b")
    parameter.apply(1)
    deviceB.immediate = failure
    parameter.apply(2)
    XCTAssertEqual([a, b].map(\.latestAppliedValue), [2, 1])
    _ = log.drain()
    log.watch("value", parameter.$value)
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["a? 1", "a 1", "result = 1", "result finished"])
    XCTAssertEqual([a, b].map(\.latestAppliedValue), [1, 1])
  }

  func test_synchronizeApplicators_updatesOutOfDateApplicatorsWithoutChangingTheValue() {
    let (a, _) = applicator("a")
    let (b, deviceB) = applicator("b")
    parameter.apply(1)
    deviceB.immediate = failure
    parameter.apply(2)
    let (c, _) = applicator("c")
    deviceB.immediate = .success
    _ = log.drain()
    log.watch("value", parameter.$value)
    log.watch("result", parameter.synchronizeApplicators())
    XCTAssertEqual(
      log.events, ["a? 1", "c? 1", "a 1", "c 1", "result = 1", "result finished"])
    XCTAssertEqual([a, b, c].map(\.latestAppliedValue), [1, 1, 1])
  }

  func test_synchronizeApplicators_failsIfAnApplicatorFails() {
    let (a, _) = applicator("a", answers: failure)
    log.watch("result", parameter.synchronizeApplicators())
    XCTAssertEqual(log.events, ["a? 0", "a 0", "result failed: applyFailed(device)"])
    withExtendedLifetime(a) {}
  }

  // MARK: Answers

  func test_secondAnswer_isIgnored() {
    let (a, deviceA) = applicator("a", answers: nil)
    let (b, deviceB) = applicator("b", answers: nil)
    log.watch("result", parameter.apply(1))
    let answer = deviceA.answer(.success)
    answer?(.failure(DeviceFailure()))
    answer?(.success)
    XCTAssertEqual(log.drain(), ["a? 1", "b? 1", "a 1", "b 1"])
    deviceB.answer()
    XCTAssertEqual(log.events, ["result = 1", "result finished"])
    XCTAssertEqual([a, b].map(\.latestAppliedValue), [1, 1])
  }

  func test_secondAnswerInsideTheHandler_isIgnored() {
    let applicator = parameter.applicator().apply { _, answer in
      answer(.failure(DeviceFailure()))
      answer(.success)
    }
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["result failed: applyFailed(device)"])
    XCTAssertNil(applicator.latestAppliedValue)
  }

  func test_answerOnAnotherThread_continuesTheSequenceOnThatThread() {
    let (a, deviceA) = applicator("a", answers: nil)
    let thread = Holder<ObjectIdentifier>()
    let b = parameter.applicator().apply { _, answer in
      thread.value = currentThread()
      answer(.success)
    }
    parameter.apply(1)
    let answering = Holder<ObjectIdentifier>()
    OtherThread {
      answering.value = currentThread()
      deviceA.answer()
    }.join()
    XCTAssertNotEqual(answering.value, currentThread())
    XCTAssertEqual(thread.value, answering.value)
    XCTAssertEqual([a, b].map(\.latestAppliedValue), [1, 1])
    XCTAssertEqual(parameter.value, 1)
  }

  func test_answerOnAnotherThread_beforeTheHandlerReturns_continuesOnTheCallingThread() {
    let isDriving = Holder<ObjectIdentifier>()
    let a = parameter.applicator().apply { _, answer in
      OtherThread { answer(.success) }.join()
    }
    let b = parameter.applicator().apply { _, answer in
      isDriving.value = currentThread()
      answer(.success)
    }
    parameter.apply(1)
    XCTAssertEqual(isDriving.value, currentThread())
    XCTAssertEqual([a, b].map(\.latestAppliedValue), [1, 1])
  }

  func test_resultHandlerReleasedWithoutAnAnswer_failsTheSequenceWithAbandoned() {
    let (a, deviceA) = applicator("a")
    let (b, deviceB) = applicator("b")
    parameter.apply(1)
    deviceA.immediate = nil
    _ = log.drain()
    log.watch("result", parameter.apply(2))
    deviceA.forget()
    XCTAssertEqual(log.events, ["a? 2", "b? 2", "a 2", "result failed: abandoned"])
    XCTAssertNil(a.latestAppliedValue, "nobody knows")
    XCTAssertEqual(b.latestAppliedValue, 1)
    XCTAssertEqual(parameter.value, 1)
    withExtendedLifetime(deviceB) {}
  }

  func test_resultHandlerReleasedInsideTheHandler_failsTheSequenceBeforeApplyReturns() {
    let a = parameter.applicator().apply { _, _ in }
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["result failed: abandoned"])
    XCTAssertNil(a.latestAppliedValue)
  }

  func test_hundredThousandApplicators_thatAnswerImmediately_doNotRecurse() {
    let count = Recorder<Int>()
    let applicators = (0..<100_000).map { number in
      parameter.applicator().apply { _, answer in
        count.record(number)
        answer(.success)
      }
    }
    parameter.apply(1)
    XCTAssertEqual(parameter.value, 1)
    XCTAssertEqual(count.events, Array(0..<100_000))
    withExtendedLifetime(applicators) {}
  }

  // MARK: API

  func test_latestAppliedValue_ofAnOptionalValue_distinguishesNeverAppliedFromAppliedNil() {
    let parameter = ProcessingParameter<Int?>(nil)
    let a = parameter.applicator().apply { _, answer in answer(.success) }
    XCTAssertEqual(a.latestAppliedValue, .none)
    parameter.apply(nil)
    XCTAssertEqual(a.latestAppliedValue, .some(nil))
    parameter.apply(3)
    XCTAssertEqual(a.latestAppliedValue, .some(3))
  }

  /// If nothing retains the applicator, it is released immediately. Therefore the statement
  /// `session.intensity.applicator().apply { … }` must cause a compiler warning.
  func test_setUpMethods_areNotMarkedDiscardableResult() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/HearingProcessing/Parameters")
    let text = try String(
      contentsOf: sources.appending(path: "ProcessingApplicator.swift"), encoding: .utf8)
    XCTAssertTrue(text.contains("public func canApply("))
    XCTAssertFalse(text.contains("@discardableResult"))
  }

  func test_timeout_acceptsADuration() {
    let scheduler = ManualScheduler()
    let parameter = ProcessingParameter(0, scheduler: scheduler)
    let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
    let a = parameter.applicator().timeout(.milliseconds(300)).apply { answers.record($1) }
    let result = parameter.apply(1)
    scheduler.advance(by: .milliseconds(299))
    XCTAssertNil(result.failureNow)
    scheduler.advance(by: .milliseconds(1))
    XCTAssertEqual(result.failureNow, .applyTimeoutExceeded(Attempt(value: "1")))
    XCTAssertEqual(DeliveryMode.discrete(.milliseconds(250)), .discrete(seconds: 0.25))
    withExtendedLifetime(a) {}
  }

  func test_handlers_runOutsideTheLock() {
    let applicator = Holder<ProcessingApplicator<Int>>()
    let parameter = parameter
    let log = log
    applicator.value = parameter.applicator()
      .canApply { _ in
        log.note("latest \(applicator.value?.latestAppliedValue.map { "\($0)" } ?? "none")")
        return parameter.value == 0
      }
      .apply { value, answer in
        parameter.deliveryMode = .latest
        _ = applicator.value?.timeout(3)
        answer(.success)
        log.note("latest \(applicator.value?.latestAppliedValue.map { "\($0)" } ?? "none")")
      }
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["latest none", "latest none", "result = 1", "result finished"])
  }

  func test_id_isDifferentForEachApplicator() {
    let (a, _) = applicator("a")
    let (b, _) = applicator("b")
    XCTAssertNotEqual(a.id, b.id)
    XCTAssertEqual(a.id, a.id)
  }
}

private func currentThread() -> ObjectIdentifier {
  ObjectIdentifier(Thread.current)
}
