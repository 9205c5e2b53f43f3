import HearingProcessing
import TestSupport
import XCTest

/// Tests calls of a parameter from inside its handlers. Such calls are permitted everywhere. They
/// are executed one after another, not nested.
final class ProcessingParameterReentrancyTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let log = EventLog()
  private lazy var parameter = ProcessingParameter(0, scheduler: scheduler)

  func test_applyInsideAValueSubscriber_isExecutedNext() {
    let parameter = parameter
    let log = log
    let device = Device<Int>("a", log)
    let a = device.attach(parameter.applicator())
    let token = parameter.$value.sink { value in
      log.note("value \(value) begins")
      if value == 1 { log.watch("inner", parameter.apply(2)) }
      log.note("value \(value) ends")
    }
    _ = log.drain()
    parameter.apply(1)
    XCTAssertEqual(
      log.events,
      [
        "a? 1", "a 1", "value 1 begins", "value 1 ends", "a? 2", "a 2", "value 2 begins",
        "value 2 ends", "inner = 2", "inner finished",
      ])
    token.cancel()
    withExtendedLifetime(a) {}
  }

  func test_applyInsideAResultHandler_isExecutedNext() {
    let parameter = parameter
    let log = log
    let device = Device<Int>("a", log, answers: nil)
    let a = device.attach(parameter.applicator())
    let token = parameter.apply(1).sink { _ in
      log.note("finished")
    } receiveValue: { _ in
      log.watch("inner", parameter.apply(2))
      log.note("asked")
    }
    device.immediate = .success
    _ = log.drain()
    device.answer()
    XCTAssertEqual(
      log.events, ["asked", "finished", "a? 2", "a 2", "inner = 2", "inner finished"])
    token.cancel()
    withExtendedLifetime(a) {}
  }

  func test_applyInsideCanApplyAndApply_isExecutedAfterTheSequence() {
    let parameter = parameter
    let log = log
    let a = parameter.applicator()
      .canApply { value in
        if value == 1 { log.watch("from canApply", parameter.apply(2)) }
        log.note("asked \(value)")
        return true
      }
      .apply { value, answer in
        if value == 1 { log.watch("from apply", parameter.apply(3)) }
        answer(.success)
        log.note("applied \(value)")
      }
    let result = parameter.apply(1)
    log.watch("outer", result)
    XCTAssertEqual(
      log.events,
      [
        "asked 1", "applied 1", "asked 2", "applied 2", "from canApply = 2",
        "from canApply finished", "asked 3", "applied 3", "from apply = 3",
        "from apply finished", "outer = 1", "outer finished",
      ])
    withExtendedLifetime(a) {}
  }

  func test_applyInsideAnUpdateStateSubscriber_isExecuted() {
    let parameter = parameter
    let log = log
    let token = parameter.$updateState.sink { state in
      if case .applying(1) = state { parameter.apply(2) }
    }
    let device = Device<Int>("a", log)
    let a = device.attach(parameter.applicator())
    parameter.apply(1)
    XCTAssertEqual(log.events, ["a? 1", "a 1", "a? 2", "a 2"])
    XCTAssertEqual(parameter.updateState.words, "applied")
    token.cancel()
    withExtendedLifetime(a) {}
  }

  func test_applyInsideValidate_runsBeforeTheOuterApply() {
    let held = Holder<ProcessingParameter<Int>>()
    let parameter = ProcessingParameter(0, scheduler: scheduler) { value in
      if value == 1 { held.value?.apply(2) }
      return true
    }
    held.value = parameter
    log.watch("value", parameter.$value)
    parameter.apply(1)
    XCTAssertEqual(log.events, ["value 2", "value 1"])
    held.value = nil
  }

  func test_equalityOfACustomValueType_runsOutsideTheLock() {
    let held = Holder<ProcessingParameter<HookedValue>>()
    let log = log
    let curious: @Sendable (Int) -> HookedValue = { number in
      HookedValue(number: number) {
        if let value = held.value?.value.number { log.note("reads \(value)") }
      }
    }
    let parameter = ProcessingParameter(curious(0), scheduler: scheduler)
    let a = parameter.applicator().apply { $1(.success) }
    held.value = parameter
    parameter.apply(curious(1))
    XCTAssertEqual(parameter.value.number, 1)
    XCTAssertEqual(Set(log.events), ["reads 0"])
    held.value = nil
    withExtendedLifetime(a) {}
  }

  func test_applyInsideTheHandlerOfASupersededResult_supersedesTheWaitingValue() {
    let parameter = parameter
    let log = log
    parameter.deliveryMode = .discrete(seconds: 1)
    let token = parameter.apply(1).sink { _ in
      log.watch("third", parameter.apply(3))
    } receiveValue: { _ in
    }
    log.watch("second", parameter.apply(2))
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(
      log.events, ["second failed: superseded", "third = 3", "third finished"])
    token.cancel()
  }

  func test_flushAndModeChangeInsideHandlers_areExecuted() {
    let parameter = parameter
    let log = log
    parameter.deliveryMode = .discrete(seconds: 1)
    let token = parameter.$value.sink { value in
      guard value == 1 else { return }
      parameter.apply(2)
      parameter.flush()
      parameter.apply(3)
      parameter.deliveryMode = .continuous
    }
    log.watch("value", parameter.$value)
    parameter.apply(1)
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(log.events, ["value 1", "value 2", "value 3"])
    token.cancel()
  }

  func test_hundredThousandAppliesInsideOneSubscriber_areExecutedInOrder() {
    let parameter = parameter
    let seen = Recorder<Int>()
    let token = parameter.$value.sink { value in
      seen.record(value)
      if value == 1 { for next in 2...100_000 { parameter.apply(next) } }
    }
    parameter.apply(1)
    waitUntil { parameter.value == 100_000 && seen.events.count == 100_001 }
    XCTAssertEqual(seen.events, Array(0...100_000))
    token.cancel()
  }

  func test_twentyThousandApplies_eachInAValueSubscriber_areNotCalledRecursively() {
    let parameter = parameter
    let seen = Recorder<Int>()
    let isInside = Holder(false)
    let token = parameter.$value.sink { value in
      if isInside.value == true { XCTFail("a call inside a call") }
      isInside.value = true
      seen.record(value)
      if value < 20_000 { parameter.apply(value + 1) }
      isInside.value = false
    }
    waitUntil { seen.events.last == 20_000 }
    XCTAssertEqual(parameter.value, 20_000)
    token.cancel()
  }

  func test_twentyThousandApplies_eachInAResultHandler_doNotOverflowTheStack() {
    let parameter = parameter
    let device = Device<Int>("a", EventLog())
    let a = device.attach(parameter.applicator())
    let tokens = Recorder<ObservationToken>()
    @Sendable func next(_ value: Int) {
      guard value <= 20_000 else { return }
      tokens.record(
        parameter.apply(value).sink { _ in
        } receiveValue: {
          next($0 + 1)
        })
    }
    let token = parameter.$value.sink { if $0 == 1 { next(2) } }
    parameter.apply(1)
    waitUntil { parameter.value == 20_000 }
    token.cancel()
    withExtendedLifetime(a) {}
  }

  func test_handlers_canSubscribe_cancel_release_andReplaceHandlers() {
    let parameter = parameter
    let log = log
    let applicator = Holder<ProcessingApplicator<Int>>()
    let watching = Holder<ObservationToken>()
    let other = Holder(parameter.applicator().apply { $1(.success) })
    applicator.value = parameter.applicator()
      .canApply { _ in
        watching.value = parameter.$value.sink { log.note("watches \($0)") }
        other.value = nil
        return true
      }
      .apply { _, answer in
        watching.value = nil
        let joined = parameter.applicator()
        joined.cancel()
        _ = applicator.value?.canApply { _ in false }
        answer(.success)
      }
    log.watch("first", parameter.apply(1))
    log.watch("second", parameter.apply(2))
    XCTAssertEqual(
      log.events, ["watches 0", "first = 1", "first finished", "second failed: cannotApply"])
    applicator.value = nil
  }

  func test_twoParametersThatApplyEachOthersValues_endAtTheSameValue() {
    let a = ProcessingParameter(0, scheduler: scheduler)
    let b = ProcessingParameter(0, scheduler: scheduler)
    let forth = a.$value.sink { b.apply($0) }
    let back = b.$value.sink { a.apply($0) }
    a.apply(1)
    XCTAssertEqual([a.value, b.value], [1, 1])
    b.apply(2)
    XCTAssertEqual([a.value, b.value], [2, 2])
    forth.cancel()
    back.cancel()
  }

  func test_parameterReleasedInsideItsOwnSubscriber_deliversTheResult() {
    let held = Holder(ProcessingParameter(0, scheduler: scheduler))
    let log = log
    let token = held.value?.$value.sink { value in
      log.note("value \(value)")
      if value == 1 { held.value = nil }
    }
    if let result = held.value?.apply(1) { log.watch("result", result) }
    XCTAssertEqual(log.events, ["value 0", "value 1", "result = 1", "result finished"])
    token?.cancel()
  }
}

/// A value that calls a closure when it is compared with `==`.
private struct HookedValue: Equatable, Sendable {
  let number: Int
  let look: @Sendable () -> Void

  static func == (left: HookedValue, right: HookedValue) -> Bool {
    left.look()
    return left.number == right.number
  }
}
