import HearingProcessing
import Dispatch
import TestSupport
import XCTest

/// Tests the scheduler with real time. The tests check the order of events, but never their
/// duration.
final class DispatchSchedulerTests: TimedTestCase {
  func test_now_ofDifferentInstances_neverDecreases() {
    var last = DispatchScheduler().now
    for _ in 0..<1_000 {
      let now = DispatchScheduler().now
      XCTAssertLessThanOrEqual(last, now)
      last = now
    }
  }

  func test_schedule_runsTheWorkAtTheDeadline() async {
    let scheduler = DispatchScheduler()
    let deadline = scheduler.now + .milliseconds(5)
    let ran = Holder<ObservationToken>()
    let now = await withCheckedContinuation { continuation in
      ran.value = scheduler.schedule(at: deadline) { continuation.resume(returning: scheduler.now) }
    }
    XCTAssertGreaterThanOrEqual(now, deadline)
  }

  func test_workWithAnEarlierDeadline_scheduledLater_runsFirst() async {
    let scheduler = DispatchScheduler()
    let record = Recorder<String>()
    let tokens = Holder<[ObservationToken]>()
    let start = scheduler.now
    await withCheckedContinuation { continuation in
      tokens.value = [
        scheduler.schedule(at: start + .seconds(3_600)) { record.record("in an hour") },
        scheduler.schedule(at: start + .milliseconds(30)) {
          record.record("later")
          continuation.resume()
        },
        scheduler.schedule(at: start + .milliseconds(1)) { record.record("sooner") },
      ]
    }
    XCTAssertEqual(record.events, ["sooner", "later"])
  }

  func test_workWithAPastDeadline_runs() async {
    let scheduler = DispatchScheduler()
    let tokens = Holder<[ObservationToken]>()
    await withCheckedContinuation { first in
      tokens.value = [scheduler.schedule(at: .zero) { first.resume() }]
    }
    await withCheckedContinuation { second in
      tokens.value = [scheduler.schedule(at: .seconds(-5)) { second.resume() }]
    }
  }

  func test_cancelledWork_doesNotRun() async {
    let scheduler = DispatchScheduler()
    let record = Recorder<String>()
    let tokens = Holder<[ObservationToken]>()
    await withCheckedContinuation { continuation in
      let soon = scheduler.now + .milliseconds(10)
      let cancelled = scheduler.schedule(at: soon) { record.record("cancelled work") }
      cancelled.cancel()
      tokens.value = [scheduler.schedule(at: soon + .milliseconds(10)) { continuation.resume() }]
    }
    XCTAssertEqual(record.events, [])
  }

  func test_slowHandler_delaysNoOtherHandler() async {
    let scheduler = DispatchScheduler()
    let tokens = Holder<[ObservationToken]>()
    let slowMayEnd = DispatchSemaphore(value: 0)
    await withCheckedContinuation { continuation in
      let soon = scheduler.now + .milliseconds(1)
      tokens.value = [
        scheduler.schedule(at: soon) {
          slowMayEnd.wait()
          continuation.resume()
        },
        scheduler.schedule(at: soon + .milliseconds(5)) { slowMayEnd.signal() },
      ]
    }
  }

  /// 32 handlers block their threads. Each of them waits until work with a later deadline has run.
  func test_manyWaitingHandlers_delayNoOtherHandler() {
    let scheduler = DispatchScheduler()
    let mayEnd = DispatchSemaphore(value: 0)
    let haveEnded = DispatchGroup()
    let late = DispatchSemaphore(value: 0)
    let soon = scheduler.now + .milliseconds(1)
    var tokens = (0..<32).map { _ in
      haveEnded.enter()
      return scheduler.schedule(at: soon) {
        mayEnd.wait()
        haveEnded.leave()
      }
    }
    tokens.append(scheduler.schedule(at: soon + .milliseconds(5)) { late.signal() })
    XCTAssertEqual(late.wait(timeout: .now() + 20), .success)
    for _ in 0..<32 { mayEnd.signal() }
    haveEnded.wait()
    withExtendedLifetime(tokens) {}
  }

  func test_timeout_ofAnApplicatorThatNeverAnswers_endsTheSequence() async {
    let parameter = ProcessingParameter(0)
    let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
    let applicator = parameter.applicator().timeout(0.001).apply { answers.record($1) }
    do {
      _ = try await parameter.apply(1).get()
      XCTFail("nobody answered")
    } catch ParameterError.applyTimeoutExceeded {
    } catch {
      XCTFail("\(error)")
    }
    XCTAssertEqual(parameter.value, 0)
    XCTAssertNil(applicator.latestAppliedValue)
  }

  func test_discreteMode_deliversTheLastValueOfABurst() async throws {
    let parameter = ProcessingParameter(0)
    parameter.deliveryMode = .discrete(seconds: 0.005)
    parameter.apply(1)
    parameter.apply(2)
    let value = try await parameter.apply(3).get()
    XCTAssertEqual(value, 3)
    XCTAssertEqual(parameter.value, 3)
  }
}
