import Dispatch
import TestSupport
import XCTest

@testable import HearingProcessing

/// Tests a parameter that many threads and its session use at the same time.
final class ParameterKernelTests: TimedTestCase {
  // MARK: Threads

  /// Eight threads apply values, add and release applicators, change delivery modes, flush, and
  /// answer calls. The devices answer immediately, later, twice or never.
  func test_callsFromManyThreads_completeOnce_andSynchronizingUpdatesAllApplicators() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    for round in 0..<4 {
      let scheduler = ManualScheduler()
      let parameter = ProcessingParameter(0, scheduler: scheduler)
      let owed = Recorder<@Sendable (ApplicationResult) -> Void>()
      let later = Holder<@Sendable (ApplicationResult) -> Void>()
      let mayAnswerOnly = Holder(false)
      let applicators = Recorder<ProcessingApplicator<Int>>()
      let settled = Lock(Settled())

      @Sendable func watch(_ result: ResultPublisher<Int, ParameterError>) {
        let number = settled.issue()
        result.observe { _ in settled.settle(number) }
      }
      @Sendable func register(_ kind: Int) -> ProcessingApplicator<Int> {
        parameter.applicator().timeout(kind == 3 ? 0 : 1).apply { value, answer in
          switch mayAnswerOnly.value == true ? 0 : kind {
          case 0: answer(.success)
          case 1: later.value = answer
          case 2:
            answer(value.isMultiple(of: 3) ? .failure(DeviceFailure()) : .success)
            answer(.success)
          case 3: owed.record(answer)
          default: break
          }
        }
      }

      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        var generator = SeededGenerator(seed: seed &+ UInt64(round * 8 + thread))
        var own: [ProcessingApplicator<Int>] = []
        for _ in 0..<150 {
          switch Int.random(in: 0..<22, using: &generator) {
          case 0..<8: watch(parameter.apply(Int.random(in: 0..<5, using: &generator)))
          case 8: watch(parameter.synchronizeApplicators())
          case 9, 10:
            own.append(register(Int.random(in: 0..<5, using: &generator)))
            if own.count > 3 { own.removeFirst() }
          case 11: own.popLast()?.cancel()
          case 12:
            let (applicator, result) = parameter.applicator(synchronizing: thread)
            own.append(applicator.apply { $1(.success) })
            watch(result)
          case 13: parameter.deliveryMode = .discrete(seconds: 0.1)
          case 14: parameter.deliveryMode = .latest
          case 15: parameter.deliveryMode = .continuous
          case 16: parameter.flush()
          case 17: scheduler.advance(by: .milliseconds(60))
          case 18: owed.events.last?(.success)
          case 19: later.take()?(.success)
          default: parameter.$value.sink { _ in }.cancel()
          }
        }
        for applicator in own { applicators.record(applicator) }
      }
      mayAnswerOnly.value = true
      parameter.deliveryMode = .continuous
      later.take()?(.success)
      for answer in owed.events { answer(.success) }
      // Some requests are still waiting. A thread of the library executes them.
      waitUntil {
        scheduler.advance(by: .seconds(10))
        return settled.open == 0
      }
      watch(parameter.synchronizeApplicators())
      waitUntil { settled.open == 0 && parameter.updateState.words == "applied" }
      for applicator in applicators.events {
        let latest = applicator.latestAppliedValue
        XCTAssertTrue(latest == parameter.value || latest == nil, "\(String(describing: latest))")
      }
      XCTAssertEqual(settled.open, 0)
      XCTAssertEqual(settled.twice, 0)
      XCTAssertEqual(parameter.updateState.words, "applied")
    }
  }

  func test_valueSubscribers_receiveTheSameSequence_whenManyThreadsApply() {
    let parameter = ProcessingParameter(0)
    let histories = (0..<3).map { _ in Recorder<Int>() }
    let tokens = histories.map { history in parameter.$value.sink { history.record($0) } }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 1...200 { parameter.apply(thread * 1_000 + number) }
    }
    waitUntil { histories.allSatisfy { $0.events.count == 1_601 } }
    for history in histories {
      XCTAssertEqual(history.events.count, 1_601)
      XCTAssertEqual(history.events, histories[0].events)
      XCTAssertEqual(history.events.last, parameter.value)
    }
    withExtendedLifetime(tokens) {}
  }

  // MARK: Calls of the session

  func test_interrupt_failsDebouncedAndQueuedValues_butNotTheValueInFlight() {
    let session = ProcessingSession(
      presetDataSource: .default(.init(fitting: .techLevel(1))), scheduler: ManualScheduler())
    let parameter = session.isEnabled
    let log = EventLog()
    let device = Device<Bool>("a", log, answers: nil)
    let a = device.attach(parameter.applicator())
    log.watch("in flight", parameter.apply(true))
    log.watch("queued", parameter.apply(false))
    parameter.deliveryMode = .discrete(seconds: 1)
    log.watch("waiting", parameter.apply(true))
    session.interrupt(reason: "test")
    log.watch("later", parameter.apply(true))
    device.answer()
    XCTAssertEqual(
      log.events,
      [
        "a? true", "a true", "waiting failed: interrupted", "queued failed: interrupted",
        "later failed: interrupted", "in flight = true", "in flight finished", "a? false",
        "a false",
      ])
    device.answer()
    XCTAssertFalse(parameter.value)
    withExtendedLifetime(a) {}
  }

  func test_close_failsAllRequests_andEndsTheValues() async {
    let parameter = ProcessingParameter(0, scheduler: ManualScheduler())
    let log = EventLog()
    let device = Device<Int>("a", log)
    let a = device.attach(parameter.applicator())
    parameter.apply(1)
    device.immediate = nil
    log.watch("value", parameter.$value)
    log.watch("in flight", parameter.apply(2))
    log.watch("queued", parameter.apply(3))
    var iterator = parameter.$value.values.makeAsyncIterator()
    parameter.close()
    log.watch("later", parameter.apply(4))
    log.watch("synchronized", parameter.synchronizeApplicators())
    device.answer()
    XCTAssertEqual(
      Array(log.events.suffix(4)),
      [
        "in flight failed: sessionDeactivated", "queued failed: sessionDeactivated",
        "later failed: sessionDeactivated", "synchronized failed: sessionDeactivated",
      ])
    XCTAssertEqual(parameter.value, 1)
    XCTAssertNil(a.latestAppliedValue, "in flight: nobody knows")
    let last = await iterator.next(isolation: nil)
    let end = await iterator.next(isolation: nil)
    XCTAssertEqual(last, 1)
    XCTAssertNil(end)
  }

  func test_valuesOfAClosedParameter_areFreedOutsideItsLock() {
    let log = EventLog()
    let parameter = ProcessingParameter(Boxed(0), scheduler: ManualScheduler())
    let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
    let failing = parameter.applicator().apply { value, answer in
      if value.number == 1 {
        answer(
          .failure(
            Loud {
              parameter.acquireEveryLock()
              log.note("error freed")
            }))
      } else {
        answers.record(answer)
      }
    }
    let useIt: @Sendable () -> Void = {
      parameter.acquireEveryLock()
      log.note("value freed")
    }
    parameter.apply(Boxed(1, onFree: useIt))
    XCTAssertEqual(log.events, [])
    parameter.apply(Boxed(2))
    parameter.close()
    XCTAssertEqual(log.events.sorted(), ["error freed", "value freed"])
    withExtendedLifetime(failing) {}
  }

  func test_failedLoad_afterAFailedApply_freesTheOldErrorOutsideTheLock() async {
    let log = EventLog()
    let parameter = RemoteProcessingParameter(0, scheduler: ManualScheduler()) {
      throw DeviceFailure()
    }
    do {
      let canary = Canary {
        parameter.acquireEveryLock()
        log.note("freed")
      }
      let a = parameter.applicator().apply { $1(.failure(Loud(canary))) }
      parameter.apply(1)
      withExtendedLifetime(a) {}
    }
    XCTAssertEqual(log.events, [])
    _ = try? await parameter.reload().get()
    XCTAssertEqual(log.events, ["freed"])
  }

  /// Only the session's record of an applicator retains the value. The test releases the value in
  /// every possible way.
  func test_valueRetainedOnlyByAnApplicator_isFreedOutsideTheLock() {
    enum End: CaseIterable {
      case success, timeout, abandonment, close, leaving, endAfterLeaving, closeAfterLeaving
    }
    for end in End.allCases {
      let log = EventLog()
      let scheduler = ManualScheduler()
      let parameter = ProcessingParameter(Boxed(0), scheduler: scheduler)
      let a = Device<Boxed>("a", EventLog())
      let b = Device<Boxed>("b", EventLog(), answers: .failure(DeviceFailure()))
      let first = Holder(a.attach(parameter.applicator()))
      let second = b.attach(parameter.applicator())
      let useIt: @Sendable () -> Void = {
        parameter.acquireEveryLock()
        log.note("freed")
      }
      parameter.apply(Boxed(5, onFree: useIt))
      b.isWilling = false
      parameter.apply(Boxed(6))
      XCTAssertEqual(log.events, [], "\(end)")
      b.isWilling = true
      (a.immediate, b.immediate) = (nil, nil)
      switch end {
      case .success:
        parameter.apply(Boxed(7))
        a.answer()
      case .timeout:
        parameter.apply(Boxed(7))
        scheduler.advance(by: .seconds(10))
      case .abandonment:
        parameter.apply(Boxed(7))
        a.forget()
      case .close:
        parameter.apply(Boxed(7))
        parameter.close()
      case .leaving:
        first.value = nil
      case .endAfterLeaving, .closeAfterLeaving:
        _ = second.canApply { _ in
          first.value = nil
          return true
        }
        parameter.apply(Boxed(7))
        XCTAssertEqual(log.events, [], "the sequence knows the record")
        if end == .endAfterLeaving { b.answer() } else { parameter.close() }
      }
      first.value = nil
      XCTAssertEqual(log.events, ["freed"], "\(end)")
      withExtendedLifetime(second) {}
    }
  }
}

/// An error that calls a closure when the last copy of the error is released.
private struct Loud: Error {
  let canary: Canary

  init(_ canary: Canary) {
    self.canary = canary
  }

  init(onFree: @escaping @Sendable () -> Void) {
    canary = Canary(onFree)
  }
}

/// Records which results have settled. Also counts results that settled twice.
private struct Settled: Sendable {
  var open: Set<Int> = []
  var count = 0
  var twice = 0
}

extension Lock where State == Settled {
  fileprivate func issue() -> Int {
    withLock { settled in
      settled.count += 1
      settled.open.insert(settled.count)
      return settled.count
    }
  }

  fileprivate func settle(_ number: Int) {
    withLock { settled in
      if settled.open.remove(number) == nil { settled.twice += 1 }
    }
  }

  fileprivate var open: Int { withLock { $0.open.count } }
  fileprivate var twice: Int { withLock { $0.twice } }
}
