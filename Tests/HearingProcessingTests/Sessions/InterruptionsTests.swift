@testable import HearingProcessing
import TestSupport
import XCTest

final class InterruptionsTests: TimedTestCase {
  func test_randomOverlappingCalls_endAsIfRunOneAfterTheOther() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var events = 0
    while events < 120_000 {
      var run = Run(isEnabled: Bool.random(using: &random))
      for _ in 0..<Int.random(in: 1...400, using: &random) {
        run.step(&random)
        events += 1
      }
      run.finish(&random)
      if let fault = run.fault { return XCTFail("\(fault), seed \(seed)") }
    }
  }

  func test_close_returnsEveryCallThatIsNotFinished_inOrder() {
    var interruptions = Interruptions()
    let calls = (0..<3).map { index in
      Interruptions.Call(operation: .interrupt(InterruptionReason(index)), outcome: .init())
    }
    XCTAssertTrue(interruptions.submit(calls[0]))
    _ = interruptions.next()
    XCTAssertFalse(interruptions.submit(calls[1]))
    XCTAssertFalse(interruptions.submit(calls[2]))
    XCTAssertEqual(
      interruptions.close().map { ObjectIdentifier($0.outcome) },
      calls.map { ObjectIdentifier($0.outcome) })
    XCTAssertFalse(interruptions.submit(calls[0]))
    guard case .none = interruptions.reasonsChanged([InterruptionReason(0)]) else {
      return XCTFail("something is done after the end")
    }
    XCTAssertFalse(interruptions.isInterrupted)
  }
}

/// Runs the machine and compares it with a model that performs one call after the other.
private struct Run {
  private var machine = Interruptions()
  private var action: Interruptions.Action = .none
  private var isEnabled: Bool
  private var calls: [Interruptions.Call] = []
  private var finished = 0
  private var model: Model
  private(set) var fault: String?

  private struct Model {
    var reasons: Set<Int> = []
    var restore: Bool?
    var isEnabled: Bool
  }

  init(isEnabled: Bool) {
    self.isEnabled = isEnabled
    model = Model(isEnabled: isEnabled)
  }

  /// A call comes in, or the driving thread takes a step.
  mutating func step(_ random: inout SeededGenerator) {
    guard fault == nil else { return }
    if Int.random(in: 0..<3, using: &random) == 0 {
      submit(&random)
    } else {
      drive(&random)
    }
    let pending = calls[finished...].contains {
      if case .interrupt = $0.operation { true } else { false }
    }
    // After the machine has ended a call and before its result is published, the model lags behind.
    guard !isTelling else { return }
    check(machine.refusesValues == (pending || !model.reasons.isEmpty), "refuses values")
    check(machine.reasons.count == model.reasons.count, "reasons")
    if machine.isInterrupted { check(machine.valueToRestore == model.restore, "to restore") }
  }

  /// Drives without new calls until every call has ended.
  mutating func finish(_ random: inout SeededGenerator) {
    var steps = 0
    while finished < calls.count, fault == nil {
      drive(&random)
      steps += 1
      check(steps < 10 * calls.count + 10, "\(calls.count - finished) calls never end")
    }
    if case .none = machine.next() {} else { check(false, "does something for nobody") }
  }

  private var isTelling: Bool {
    if case .finish = action { true } else { false }
  }

  private mutating func submit(_ random: inout SeededGenerator) {
    let reason = Int.random(in: 0..<4, using: &random)
    let operation: Interruptions.Operation =
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: .interrupt(InterruptionReason(reason))
      case 2, 3: .resolve(InterruptionReason(reason))
      default: .adopt(Bool.random(using: &random))
      }
    let call = Interruptions.Call(operation: operation, outcome: .init())
    let wasIdle = isIdle
    calls.append(call)
    let drives = machine.submit(call)
    check(drives == wasIdle, "who drives")
    if drives { action = machine.next() }
  }

  private var isIdle: Bool {
    if case .none = action { true } else { false }
  }

  private mutating func drive(_ random: inout SeededGenerator) {
    switch action {
    case .none:
      return
    case .changeReasons(.interrupt(let reason), let reasons):
      action = machine.reasonsChanged(reasons.union([reason]))
    case .changeReasons(.resolve(let reason), let reasons):
      action = machine.reasonsChanged(reasons.subtracting([reason]))
    case .changeReasons(.adopt, _):
      check(false, "weighs a value")
    case .impose(let value, let reasons):
      let succeeds = Int.random(in: 0..<4, using: &random) > 0
      machine.replacing(isEnabled)
      if succeeds { isEnabled = value }
      action = machine.imposed(reasons, succeeds ? nil : refusal)
      expectation = (value, succeeds)
    case .switchOff(let reasons, let cause):
      let succeeds = Int.random(in: 0..<3, using: &random) > 0
      bringsBack = succeeds
      action = machine.switchedOff(reasons, cause, succeeds ? nil : refusal)
    case .finish(let call, let result, _):
      notify(call, result)
      action = machine.next()
    }
  }

  /// The value imposed for the current call, and whether that succeeds.
  private var expectation: (value: Bool, succeeds: Bool)?
  /// Whether every applicator was reset to false for the current call; nil: none was called.
  private var bringsBack: Bool?
  private let refusal = ParameterError.cannotApply(Attempt(value: "true"))

  private mutating func notify(
    _ call: Interruptions.Call, _ result: Result<Bool, ProcessingError>
  ) {
    check(call.outcome === calls[finished].outcome, "order of calls")
    finished += 1
    check(result == expected(call.operation), "result")
    expectation = nil
    bringsBack = nil
  }

  private mutating func expected(
    _ operation: Interruptions.Operation
  ) -> Result<Bool, ProcessingError> {
    let before = model.isEnabled
    defer { model.isEnabled = isEnabled }
    switch operation {
    case .interrupt(let reason):
      guard let number = reason.base.base as? Int else { return .failure(.notInterrupted) }
      if model.reasons.isEmpty {
        check(expectation?.value == false, "imposes false")
        guard expectation?.succeeds == true else { return .failure(.parameter(refusal)) }
        model.restore = before
      } else {
        check(expectation == nil, "touches nothing")
        check(bringsBack != nil, "leaves an applicator at true")
        guard bringsBack == true else { return .failure(.parameter(refusal)) }
      }
      model.reasons.insert(number)
      return .success(true)
    case .resolve(let reason):
      guard let number = reason.base.base as? Int else { return .failure(.notInterrupted) }
      if model.reasons.isEmpty { return .failure(.notInterrupted) }
      guard model.reasons.contains(number) else { return .failure(.interruptionNotFound) }
      guard model.reasons.count == 1 else {
        check(expectation == nil, "touches nothing")
        model.reasons.remove(number)
        return .success(true)
      }
      check(expectation?.value == model.restore, "restores")
      guard expectation?.succeeds == true else {
        check(bringsBack != nil, "leaves an applicator at true")
        return .failure(.parameter(refusal))
      }
      model.reasons = []
      return .success(false)
    case .adopt(let value):
      guard model.reasons.isEmpty else {
        model.restore = value
        return .success(true)
      }
      check(expectation?.value == value, "adopts")
      return expectation?.succeeds == true ? .success(false) : .failure(.parameter(refusal))
    }
  }

  private mutating func check(_ holds: Bool, _ what: String) {
    if !holds && fault == nil { fault = what }
  }
}
