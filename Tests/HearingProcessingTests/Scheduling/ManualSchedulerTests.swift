import HearingProcessing
import TestSupport
import XCTest

final class ManualSchedulerTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private let record = Recorder<String>()
  private var tokens: [ObservationToken] = []

  override func tearDown() {
    tokens = []
  }

  private func schedule(_ name: String, at seconds: Double) {
    tokens.append(
      scheduler.schedule(at: .seconds(seconds)) { [record, scheduler] in
        record.record("\(name) at \(scheduler.now)")
      })
  }

  func test_now_afterAdvance_isTheSumOfTheIntervals() {
    XCTAssertEqual(scheduler.now, .zero)
    scheduler.advance(by: .seconds(2))
    scheduler.advance(by: .zero)
    XCTAssertEqual(scheduler.now, .seconds(2))
  }

  func test_advance_runsDueWorkInOrderOfDeadline_beforeItReturns() {
    schedule("c", at: 3)
    schedule("a", at: 1)
    schedule("b", at: 2)
    schedule("d", at: 3.001)
    scheduler.advance(by: .seconds(3))
    XCTAssertEqual(
      record.events, ["a at 1.0 seconds", "b at 2.0 seconds", "c at 3.0 seconds"])
    XCTAssertEqual(scheduler.now, .seconds(3))
  }

  func test_equalDeadlines_runInOrderOfScheduling() {
    for name in ["a", "b", "c", "d", "e"] { schedule(name, at: 1) }
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(record.events.map { $0.prefix(1) }, ["a", "b", "c", "d", "e"])
  }

  func test_now_isTheDeadlineWhileWorkRuns_andAfterwardsTheEndOfTheAdvance() {
    schedule("a", at: 1)
    scheduler.advance(by: .seconds(5))
    XCTAssertEqual(record.events, ["a at 1.0 seconds"])
    XCTAssertEqual(scheduler.now, .seconds(5))
  }

  func test_workScheduledByWork_withADeadlineInTheAdvance_runsInTheSameAdvance() {
    let inner = Holder<ObservationToken>()
    tokens.append(
      scheduler.schedule(at: .seconds(1)) { [scheduler, record] in
        inner.value = scheduler.schedule(at: scheduler.now + .seconds(1)) {
          record.record("inner at \(scheduler.now)")
        }
      })
    schedule("last", at: 3)
    scheduler.advance(by: .seconds(3))
    XCTAssertEqual(record.events, ["inner at 2.0 seconds", "last at 3.0 seconds"])
  }

  func test_workScheduledByWork_withADeadlineAfterTheAdvance_waits() {
    let inner = Holder<ObservationToken>()
    tokens.append(
      scheduler.schedule(at: .seconds(1)) { [scheduler, record] in
        inner.value = scheduler.schedule(at: .seconds(4)) { record.record("inner") }
      })
    scheduler.advance(by: .seconds(3))
    XCTAssertEqual(record.events, [])
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(record.events, ["inner"])
  }

  func test_workWithAPastDeadline_runsInTheNextCallOfAdvance_notInTheCallOfSchedule() {
    scheduler.advance(by: .seconds(5))
    schedule("late", at: 1)
    XCTAssertEqual(record.events, [])
    scheduler.advance(by: .zero)
    XCTAssertEqual(record.events, ["late at 5.0 seconds"])
  }

  func test_advanceInsideWork_runsDueWork_andTimeNeverDecreases() {
    schedule("b", at: 2)
    schedule("d", at: 4)
    tokens.append(
      scheduler.schedule(at: .seconds(1)) { [scheduler, record] in
        record.record("begin")
        scheduler.advance(by: .seconds(1.5))
        record.record("end at \(scheduler.now)")
      })
    scheduler.advance(by: .seconds(2))
    XCTAssertEqual(record.events, ["begin", "b at 2.0 seconds", "end at 2.5 seconds"])
    XCTAssertEqual(scheduler.now, .seconds(2.5))
  }

  func test_cancelledWork_doesNotRun() {
    schedule("a", at: 1)
    tokens[0].cancel()
    tokens[0].cancel()
    scheduler.advance(by: .seconds(2))
    XCTAssertEqual(record.events, [])
  }

  func test_cancel_releasesCapturedObjects() {
    var token: ObservationToken?
    do {
      let canary = Canary { [record] in record.record("freed") }
      token = scheduler.schedule(at: .seconds(1)) { canary.sing() }
    }
    XCTAssertEqual(record.events, [])
    token?.cancel()
    XCTAssertEqual(record.events, ["freed"])
  }

  func test_releasedToken_cancelsTheWork() {
    schedule("a", at: 1)
    schedule("b", at: 1)
    tokens.removeFirst()
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(record.events, ["b at 1.0 seconds"])
  }

  func test_workCancelledByEarlierWorkWithTheSameDeadline_doesNotRun() {
    let second = Holder<ObservationToken>()
    tokens.append(scheduler.schedule(at: .seconds(1)) { second.value?.cancel() })
    second.value = scheduler.schedule(at: .seconds(1)) { [record] in record.record("ran") }
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(record.events, [])
  }

  func test_work_afterItsDeadline_runsOnlyOnce() {
    schedule("a", at: 1)
    scheduler.advance(by: .seconds(1))
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(record.events.count, 1)
  }

  func test_tokenThatOutlivesItsScheduler_canBeCancelled() {
    let token = ManualScheduler().schedule(at: .seconds(1)) {}
    token.cancel()
  }

  func test_manyDeadlines_runInOrder() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let times = Recorder<Duration>()
    for _ in 0..<2_000 {
      let deadline = Duration.milliseconds(Int.random(in: 0..<10_000, using: &generator))
      tokens.append(scheduler.schedule(at: deadline) { times.record(deadline) })
    }
    scheduler.advance(by: .seconds(10))
    XCTAssertEqual(times.events.count, 2_000)
    XCTAssertEqual(times.events, times.events.sorted())
  }
}
