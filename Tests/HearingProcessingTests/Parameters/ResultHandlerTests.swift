import Dispatch
import HearingProcessing
import TestSupport
import XCTest

final class ResultHandlerTests: TimedTestCase {
  func test_answersFromManyThreads_onlyTheFirstIsUsed() {
    for _ in 0..<200 {
      let parameter = ProcessingParameter(0, scheduler: ManualScheduler())
      let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
      let a = parameter.applicator().apply { answers.record($1) }
      let results = Recorder<String>()
      let token = parameter.apply(1).sink {
        results.record("\($0)")
      } receiveValue: { _ in
      }
      let answer = answers.events[0]
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        answer(thread.isMultiple(of: 2) ? .success : .failure(DeviceFailure()))
      }
      XCTAssertEqual(results.events.count, 1)
      XCTAssertEqual(parameter.value == 1, a.latestAppliedValue == 1)
      token.cancel()
    }
  }

  func test_handlerReleasedAfterItsAnswer_doesNotAnswerTheNextCall() {
    let parameter = ProcessingParameter(0, scheduler: ManualScheduler())
    let device = Device<Int>("a", EventLog(), answers: nil)
    let a = device.attach(parameter.applicator())
    parameter.apply(1)
    let answer = device.answer()
    parameter.apply(2)
    withExtendedLifetime(answer) {}
    XCTAssertEqual(device.owes, 1)
    device.answer()
    XCTAssertEqual(a.latestAppliedValue, 2)
  }

  func test_aRetainedCopyOfTheHandler_canAnswerLater() {
    let parameter = ProcessingParameter(0, scheduler: ManualScheduler())
    let kept = Holder<@Sendable (ApplicationResult) -> Void>()
    let a = parameter.applicator().apply { kept.value = $1 }
    let log = EventLog()
    log.watch("result", parameter.apply(1))
    let copy = kept.value
    kept.value = nil
    XCTAssertEqual(log.events, [])
    copy?(.success)
    XCTAssertEqual(log.events, ["result = 1", "result finished"])
    withExtendedLifetime(a) {}
  }
}
