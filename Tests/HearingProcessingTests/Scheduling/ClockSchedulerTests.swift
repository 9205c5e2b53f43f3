import HearingProcessing
import TestSupport
import XCTest

final class ClockSchedulerTests: TimedTestCase {
  func test_now_isTheTimeSinceInit() {
    let clock = StepClock()
    clock.advance(to: .seconds(7))
    let scheduler = ClockScheduler(clock)
    XCTAssertEqual(scheduler.now, .zero)
    clock.advance(to: .seconds(9))
    XCTAssertEqual(scheduler.now, .seconds(2))
  }

  func test_schedule_runsTheWorkWhenTheClockReachesTheDeadline() async {
    let clock = StepClock()
    let scheduler = ClockScheduler(clock)
    let record = Recorder<String>()
    let tokens = Holder<[ObservationToken]>()
    await withCheckedContinuation { continuation in
      tokens.value = [
        scheduler.schedule(at: .seconds(2)) {
          record.record("at \(scheduler.now)")
          continuation.resume()
        }
      ]
      XCTAssertEqual(record.events, [])
      clock.advance(to: .seconds(2))
    }
    XCTAssertEqual(record.events, ["at 2.0 seconds"])
  }

  func test_workWithAPastDeadline_runs() async {
    let clock = StepClock()
    let scheduler = ClockScheduler(clock)
    clock.advance(to: .seconds(3))
    let tokens = Holder<[ObservationToken]>()
    await withCheckedContinuation { continuation in
      tokens.value = [scheduler.schedule(at: .seconds(1)) { continuation.resume() }]
    }
  }

  func test_cancel_releasesTheWorkImmediately_evenIfTheClockIgnoresCancellation() async {
    let clock = StepClock()
    let scheduler = ClockScheduler(clock)
    let record = Recorder<String>()
    var token: ObservationToken?
    do {
      let canary = Canary { record.record("freed") }
      token = scheduler.schedule(at: .seconds(1)) {
        canary.sing()
        record.record("ran")
      }
    }
    token?.cancel()
    XCTAssertEqual(record.events, ["freed"])
    clock.advance(to: .seconds(2))
    let tokens = Holder<[ObservationToken]>()
    await withCheckedContinuation { continuation in
      tokens.value = [scheduler.schedule(at: .seconds(2)) { continuation.resume() }]
    }
    XCTAssertEqual(record.events, ["freed"])
  }

  func test_workThatCancelsItsOwnToken_runsInATaskThatIsNotCancelled() async {
    let clock = StepClock()
    let scheduler = ClockScheduler(clock)
    let token = Holder<ObservationToken>()
    let isCancelled = await withCheckedContinuation { continuation in
      token.value = scheduler.schedule(at: .seconds(1)) {
        token.value?.cancel()
        continuation.resume(returning: Task.isCancelled)
      }
      clock.advance(to: .seconds(1))
    }
    XCTAssertFalse(isCancelled)
  }

  func test_applicatorTimeout_withACustomClock_failsTheResult() async {
    let clock = StepClock()
    let parameter = ProcessingParameter(0, scheduler: ClockScheduler(clock))
    let answers = Recorder<@Sendable (ApplicationResult) -> Void>()
    let applicator = parameter.applicator().timeout(1).apply { answers.record($1) }
    let result = parameter.apply(1)
    clock.advance(to: .seconds(1))
    do {
      _ = try await result.get()
      XCTFail("nobody answered")
    } catch ParameterError.applyTimeoutExceeded {
    } catch {
      XCTFail("\(error)")
    }
    XCTAssertNil(applicator.latestAppliedValue)
  }
}

/// A clock that advances only in `advance(to:)`. Its `sleep` ignores cancellation.
private final class StepClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State: Sendable {
    var now = Instant(offset: .zero)
    var sleepers: [(deadline: Instant, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Guarded(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if deadline > state.now { state.sleepers.append((deadline, continuation)) }
        return deadline <= state.now
      }
      if isOver { continuation.resume() }
    }
  }

  func advance(to offset: Duration) {
    let woken = state.withLock { state in
      state.now = Instant(offset: offset)
      let woken = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return woken.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }
}
