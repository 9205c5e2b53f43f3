import Dispatch
import Foundation
import TestSupport
import XCTest

@testable import HearingProcessing

/// Tests that a call executes its own request and at most 32 other requests.
final class BoundedDrivingTests: TimedTestCase {
  func test_apply_executesAtMost32ValuesAddedByItsHandler_beforeItReturns() {
    let parameter = ProcessingParameter(0, scheduler: ManualScheduler())
    let caller = ObjectIdentifier(Thread.current)
    let onCaller = Holder(0)
    let last = DispatchSemaphore(value: 0)
    let order = Recorder<Int>()
    let applicator = parameter.applicator().apply { [weak parameter] value, result in
      if ObjectIdentifier(Thread.current) == caller { onCaller.value = (onCaller.value ?? 0) + 1 }
      order.record(value)
      if value < 500 { parameter?.apply(value + 1) } else { last.signal() }
      result(.success)
    }
    parameter.apply(1)
    XCTAssertEqual(onCaller.value, 33)
    XCTAssertEqual(last.wait(timeout: .now() + 60), .success)
    XCTAssertEqual(order.events, Array(1...500))
    withExtendedLifetime(applicator) {}
  }

  func test_sink_deliversAtMost32ValuesSentByItsSubscriber_beforeItReturns() {
    let source = CurrentValueSource(0)
    let caller = ObjectIdentifier(Thread.current)
    let onCaller = Holder(0)
    let last = DispatchSemaphore(value: 0)
    let seen = Recorder<Int>()
    let token = source.sink { [weak source] value in
      if ObjectIdentifier(Thread.current) == caller { onCaller.value = (onCaller.value ?? 0) + 1 }
      seen.record(value)
      if value < 500 { source?.send(value + 1) } else { last.signal() }
    }
    XCTAssertLessThanOrEqual(onCaller.value ?? 0, 34)
    XCTAssertEqual(last.wait(timeout: .now() + 60), .success)
    XCTAssertEqual(seen.events, Array(0...500))
    token.cancel()
  }

  func test_interrupt_repeated400TimesByASubscriber_mostlyRunsOnAnotherThread() throws {
    let controller = ProcessingController(scheduler: ManualScheduler())
    let session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
    let caller = ObjectIdentifier(Thread.current)
    let onCaller = Holder(0)
    let count = Holder(0)
    let token = session.$isInterrupted.sink { isInterrupted in
      if ObjectIdentifier(Thread.current) == caller { onCaller.value = (onCaller.value ?? 0) + 1 }
      count.value = (count.value ?? 0) + 1
      guard (count.value ?? 0) < 400 else { return }
      if isInterrupted {
        session.resolve(interruption: "1")
      } else {
        session.interrupt(reason: "1")
      }
    }
    session.interrupt(reason: "1")
    waitUntil { count.value == 400 }
    XCTAssertLessThan(onCaller.value ?? 0, 100)
    token.cancel()
    controller.deactivate()
  }

  @MainActor
  func test_sinkOnMainActor_afterManyQuickSends_deliversAtMostTwoValues() async {
    let source = CurrentValueSource(0)
    let seen = Recorder<Int>()
    let token = CurrentValuePublisher(source).sinkOnMainActor { seen.record($0) }
    for value in 1...1_000 { source.send(value) }
    while seen.events.last != 1_000 { await Task.yield() }
    XCTAssertLessThanOrEqual(seen.events.count, 2)
    token.cancel()
  }
}
