import Dispatch
import HearingProcessing
import TestSupport
import XCTest

/// Tests applicators that are removed while a value is being applied. They are removed by release
/// or by `cancel()`.
final class ProcessingApplicatorLeavingTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let log = EventLog()
  private lazy var parameter = ProcessingParameter(0, scheduler: scheduler)

  private func applicator(
    _ name: String, answers immediate: ApplicationResult? = .success
  ) -> (ProcessingApplicator<Int>, Device<Int>) {
    let device = Device<Int>(name, log, answers: immediate)
    return (device.attach(parameter.applicator()), device)
  }

  func test_parameter_doesNotRetainItsApplicators() {
    weak var released: ProcessingApplicator<Int>?
    do {
      let (a, _) = applicator("a")
      released = a
      parameter.apply(1)
    }
    XCTAssertNil(released)
    _ = log.drain()
    log.watch("result", parameter.apply(2))
    XCTAssertEqual(log.events, ["result = 2", "result finished"])
  }

  func test_cancel_removesTheApplicator_andNewHandlersDoNotRestoreIt() {
    let (a, _) = applicator("a")
    parameter.apply(1)
    a.cancel()
    a.cancel()
    _ = a.apply { [log] value, answer in
      log.note("still \(value)")
      answer(.success)
    }
    _ = log.drain()
    parameter.apply(2)
    parameter.synchronizeApplicators()
    XCTAssertEqual(log.events, [])
    XCTAssertEqual(a.latestAppliedValue, 1, "what it applied last")
  }

  func test_releasingTheApplicator_freesItsHandlersOnce() {
    do {
      let canary = Canary { [log] in log.note("freed") }
      let a = parameter.applicator()
        .canApply { _ in
          canary.sing()
          return true
        }
        .apply { _, answer in
          canary.sing()
          answer(.success)
        }
      parameter.apply(1)
      withExtendedLifetime(a) {}
      XCTAssertEqual(log.events, [])
    }
    XCTAssertEqual(log.events, ["freed"])
  }

  func test_cancellingTheApplicator_freesItsHandlersImmediately() {
    let a = parameter.applicator()
    do {
      let canary = Canary { [log] in log.note("freed") }
      _ = a.apply { _, answer in
        canary.sing()
        answer(.success)
      }
    }
    a.cancel()
    XCTAssertEqual(log.events, ["freed"])
  }

  func test_replacedHandler_isFreedOutsideTheLock() {
    let a = parameter.applicator()
    do {
      let canary = Canary { [log, parameter] in
        log.note("freed, value \(parameter.value)")
        parameter.apply(7)
      }
      _ = a.apply { _, answer in
        canary.sing()
        answer(.success)
      }
    }
    _ = a.apply { _, answer in answer(.success) }
    XCTAssertEqual(log.events, ["freed, value 0"])
    XCTAssertEqual(parameter.value, 7)
  }

  func test_deinitOfAnObjectCapturedByAHandler_canApplyAValue() {
    do {
      let canary = Canary { [log, parameter] in
        parameter.apply(9)
        log.note("freed, value \(parameter.value)")
      }
      let a = parameter.applicator().apply { _, answer in
        canary.sing()
        answer(.success)
      }
      parameter.apply(1)
      withExtendedLifetime(a) {}
    }
    XCTAssertEqual(log.events, ["freed, value 9"])
  }

  // MARK: While a sequence runs

  func test_applicatorReleasedBeforeItsAnswer_sequenceContinuesOnTheReleasingThread() {
    var (a, deviceA): (ProcessingApplicator<Int>?, Device<Int>) = applicator("a", answers: nil)
    let (b, _) = applicator("b")
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.drain(), ["a? 1", "b? 1", "a 1"])
    XCTAssertNotNil(a)
    a = nil
    XCTAssertEqual(log.drain(), ["b 1", "result = 1", "result finished"])
    deviceA.answer(.failure(DeviceFailure()))
    XCTAssertEqual(log.drain(), [])
    XCTAssertEqual(b.latestAppliedValue, 1)
    scheduler.advance(by: .seconds(60))
    XCTAssertEqual(log.drain(), [])
  }

  func test_applicatorCancelledBeforeItsAnswer_isSkippedByTheSequence() {
    let (a, deviceA) = applicator("a", answers: nil)
    log.watch("result", parameter.apply(1))
    a.cancel()
    XCTAssertEqual(log.events, ["a? 1", "a 1", "result = 1", "result finished"])
    deviceA.answer()
    XCTAssertNil(a.latestAppliedValue)
    XCTAssertEqual(parameter.value, 1)
  }

  func test_storedResultHandler_doesNotRetainTheApplicator() {
    weak var released: ProcessingApplicator<Int>?
    let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
    do {
      let a = parameter.applicator().apply { answers.record($1) }
      released = a
      parameter.apply(1)
    }
    XCTAssertNil(released)
    XCTAssertEqual(answers.events.count, 1)
    XCTAssertEqual(parameter.value, 1)
  }

  func test_applicatorReleasedInsideItsOwnHandler_isSkippedByTheSequence() {
    let a = Holder<ProcessingApplicator<Int>>()
    a.value = parameter.applicator().apply { [log] value, answer in
      a.value = nil
      log.note("a \(value)")
      answer(.failure(DeviceFailure()))
    }
    let (b, _) = applicator("b")
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["b? 1", "a 1", "b 1", "result = 1", "result finished"])
    withExtendedLifetime(b) {}
  }

  func test_applicatorReleasedInsideItsCanApply_getsNoApplyCall() {
    let a = Holder<ProcessingApplicator<Int>>()
    a.value = parameter.applicator()
      .canApply { _ in
        a.value = nil
        return true
      }
      .apply { [log] value, answer in
        log.note("a \(value)")
        answer(.success)
      }
    let (b, _) = applicator("b")
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["b? 1", "b 1", "result = 1", "result finished"])
    withExtendedLifetime(b) {}
  }

  func test_applicatorReleasedInsideItsCanApply_thatReturnsFalse_failsTheSequence() {
    let a = Holder<ProcessingApplicator<Int>>()
    a.value = parameter.applicator()
      .canApply { _ in
        a.value = nil
        return false
      }
      .apply { _, answer in answer(.success) }
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["result failed: cannotApply"])
  }

  func test_applicatorReleasedWhileAnotherHasNotAnswered_getsNoApplyCall() {
    let (a, deviceA) = applicator("a", answers: nil)
    var (b, _): (ProcessingApplicator<Int>?, Device<Int>) = applicator("b")
    let (c, _) = applicator("c")
    log.watch("result", parameter.apply(1))
    XCTAssertNotNil(b)
    b = nil
    XCTAssertEqual(log.drain(), ["a? 1", "b? 1", "c? 1", "a 1"])
    deviceA.answer()
    XCTAssertEqual(log.drain(), ["c 1", "result = 1", "result finished"])
    withExtendedLifetime((a, c)) {}
  }

  func test_allApplicatorsReleasedInsideAHandler_theSequenceSucceeds() {
    let all = Holder<[ProcessingApplicator<Int>]>()
    all.value = (0..<5).map { number in
      parameter.applicator().apply { [log] value, answer in
        log.note("\(number) \(value)")
        all.value = nil
        answer(.success)
      }
    }
    log.watch("result", parameter.apply(1))
    XCTAssertEqual(log.events, ["0 1", "result = 1", "result finished"])
  }

  func test_manyApplicators_eachReleasedBeforeItsAnswer_areSkippedByTheSequence() {
    let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
    var applicators: [ProcessingApplicator<Int>?] = (0..<20_000).map { _ in
      parameter.applicator().apply { answers.record($1) }
    }
    log.watch("result", parameter.apply(1))
    for index in applicators.indices { applicators[index] = nil }
    XCTAssertEqual(log.events, ["result = 1", "result finished"])
    XCTAssertEqual(answers.events.count, 20_000)
  }

  func test_applicatorRegisteredDuringASequence_isNotCalledByThatSequence() {
    let (a, deviceA) = applicator("a", answers: nil)
    log.watch("result", parameter.apply(1))
    let (b, _) = applicator("b")
    deviceA.answer()
    XCTAssertEqual(log.drain(), ["a? 1", "a 1", "result = 1", "result finished"])
    XCTAssertNil(b.latestAppliedValue)
    parameter.synchronizeApplicators()
    XCTAssertEqual(log.drain(), ["b? 1", "b 1"])
    withExtendedLifetime(a) {}
  }

  func test_valuesOfAnEndedSequence_areFreedOutsideTheLock() {
    let parameter = ProcessingParameter(Boxed(0), scheduler: scheduler)
    let log = log
    let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
    var a: ProcessingApplicator<Boxed>? = parameter.applicator().apply { _, answer in
      answer(.success)
    }
    let b = parameter.applicator().apply { value, answer in
      if value.number == 2 { answers.record(answer) } else { answer(.success) }
    }
    let useIt: @Sendable () -> Void = {
      parameter.acquireEveryLock()
      log.note("freed")
    }
    parameter.apply(Boxed(1, onFree: useIt))
    parameter.apply(Boxed(2))
    XCTAssertEqual(log.drain(), [])
    XCTAssertNotNil(a)
    a = nil
    answers.events[0](.success)
    parameter.apply(Boxed(3))
    XCTAssertEqual(log.drain(), ["freed"])
    withExtendedLifetime(b) {}
  }
}

/// A value that calls a closure when the last copy of the value is released.
struct Boxed: Equatable, Sendable, CustomStringConvertible {
  let number: Int
  private let canary: Canary

  init(_ number: Int, onFree: @escaping @Sendable () -> Void = {}) {
    self.number = number
    canary = Canary(onFree)
  }

  var description: String { "\(number)" }

  static func == (left: Boxed, right: Boxed) -> Bool { left.number == right.number }
}
