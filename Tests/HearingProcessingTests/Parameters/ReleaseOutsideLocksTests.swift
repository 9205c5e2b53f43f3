import Foundation
import HearingProcessing
import TestSupport
import XCTest

/// A `deinit` may use the parameter. Tests that a parameter therefore releases objects outside its
/// locks.
final class ReleaseOutsideLocksTests: TimedTestCase {
  /// A value that calls a closure when it is released.
  private final class Payload: Equatable, Sendable {
    let number: Int
    private let released: @Sendable () -> Void

    init(_ number: Int, _ released: @escaping @Sendable () -> Void) {
      self.number = number
      self.released = released
    }

    deinit {
      released()
    }

    static func == (left: Payload, right: Payload) -> Bool { left.number == right.number }
  }

  private final class Probe: Sendable {
    let parameter = Holder<ProcessingParameter<Payload>>()
    let blocked = Recorder<Int>()
    let count = Recorder<Int>()

    /// Uses the parameter on another thread. If the current thread holds the lock of the parameter,
    /// the other thread waits for it.
    func used(_ number: Int) {
      guard let parameter = parameter.value else { return }
      count.record(number)
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = parameter.deliveryMode
        _ = parameter.$value.value
        _ = parameter.$updateState.value
        isDone.signal()
      }
      if isDone.wait(timeout: .now() + 5) == .timedOut { blocked.record(number) }
    }
  }

  private func run(_ work: (ProcessingParameter<Payload>, (Int) -> Payload) -> Void) {
    let probe = Probe()
    let make: (Int) -> Payload = { number in Payload(number) { probe.used(number) } }
    let parameter = ProcessingParameter(make(0))
    probe.parameter.value = parameter
    work(parameter, make)
    XCTAssertEqual(probe.blocked.events, [], "released under a lock")
    XCTAssertFalse(probe.count.events.isEmpty, "nothing was released")
    probe.parameter.value = nil
  }

  func test_replacedValue_isReleasedOutsideTheLock() {
    run { parameter, make in
      for number in 1...3 { parameter.apply(make(number)) }
    }
  }

  func test_replacedValue_withSubscriberAndApplicator_isReleasedOutsideTheLock() {
    run { parameter, make in
      let applicator = parameter.applicator().apply { _, result in result(.success) }
      let token = parameter.$value.sink { _ in }
      for number in 1...3 { parameter.apply(make(number)) }
      withExtendedLifetime((applicator, token)) {}
    }
  }

  func test_failedAndSupersededValues_areReleasedOutsideTheLock() {
    run { parameter, make in
      let applicator = parameter.applicator().apply { _, result in result(.failure(Trouble())) }
      let token = parameter.$updateState.sink { _ in }
      for number in 1...3 { parameter.apply(make(number)) }
      parameter.deliveryMode = .discrete(seconds: 60)
      for number in 4...6 { parameter.apply(make(number)) }
      parameter.flush()
      withExtendedLifetime((applicator, token)) {}
    }
  }
}
