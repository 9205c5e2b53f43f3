import HearingAudio
import HearingDSP
import HearingProcessing
import TestSupport
import XCTest

final class RenderEventMonitorTests: XCTestCase {
  private final class Source: Sendable {
    let events = RenderEventRing()

    func publish(_ frames: Int64...) {
      for frame in frames {
        events.publish(RenderEvent(RenderEvent.Kind(rawValue: 0x1_0000), frame: frame))
      }
    }
  }

  private struct CountingScheduler: DeadlineScheduler {
    let scheduler: ManualScheduler
    /// Whether the first timer fires before the scheduler has returned its token. A real timer
    /// thread can be this fast.
    var firesFirstTimerEarly = false
    let deadlines = Recorder<Duration>()

    var now: Duration { scheduler.now }

    func schedule(
      at deadline: Duration, _ work: @escaping @Sendable () -> Void
    ) -> ObservationToken {
      deadlines.record(deadline)
      let token = scheduler.schedule(at: deadline, work)
      if firesFirstTimerEarly && deadlines.events.count == 1 {
        scheduler.advance(by: deadline - now)
      }
      return token
    }
  }

  private let scheduler = ManualScheduler()
  private let log = Recorder<String>()

  private func listen(
    _ monitor: RenderEventMonitor, to source: Source, as name: String
  ) -> ObservationToken {
    monitor.listen(to: source.events) { [log] in log.record("\(name)\($0.frame)") }
  }

  func test_listeners_areCalledInOrderEvery20Milliseconds() {
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let source = Source()
    let tokens = ["a", "b"].map { listen(monitor, to: source, as: $0) }
    source.publish(1, 2)
    scheduler.advance(by: .milliseconds(19))
    XCTAssertEqual(log.events, [])
    scheduler.advance(by: .milliseconds(1))
    XCTAssertEqual(log.events, ["a1", "b1", "a2", "b2"])
    source.publish(3)
    scheduler.advance(by: .milliseconds(20))
    XCTAssertEqual(log.events.suffix(2), ["a3", "b3"])
    withExtendedLifetime(tokens) {}
  }

  func test_listen_timerFiresBeforeItsTokenIsReturned_continuesPolling() {
    let monitor = RenderEventMonitor(
      scheduler: CountingScheduler(scheduler: scheduler, firesFirstTimerEarly: true))
    let source = Source()
    let token = listen(monitor, to: source, as: "a")
    for frame in 1...3 {
      source.publish(Int64(frame))
      scheduler.advance(by: .milliseconds(20))
    }
    XCTAssertEqual(log.events, ["a1", "a2", "a3"])
    withExtendedLifetime(token) {}
  }

  func test_drain_deliversAllWaitingEvents_beforeReturning() {
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let (first, second) = (Source(), Source())
    let tokens = [listen(monitor, to: first, as: "a"), listen(monitor, to: second, as: "b")]
    first.publish(1)
    second.publish(2)
    monitor.drain()
    XCTAssertEqual(log.events, ["a1", "b2"])
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(log.events, ["a1", "b2"])
    withExtendedLifetime(tokens) {}
  }

  func test_listener_cancelledDuringADelivery_isNotCalledAgain() {
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let source = Source()
    let other = Holder<ObservationToken>()
    let own = Holder<ObservationToken>()
    own.value = monitor.listen(to: source.events) { [log] in
      log.record("a\($0.frame)")
      if $0.frame == 2 {
        own.value?.cancel()
        other.value?.cancel()
      }
    }
    other.value = listen(monitor, to: source, as: "b")
    source.publish(1, 2, 3)
    monitor.drain()
    XCTAssertEqual(log.events, ["a1", "b1", "a2"])
  }

  func test_listener_callsListenAndDrain_eventsAreStillDeliveredInOrder() {
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let source = Source()
    let late = Holder<ObservationToken>()
    let token = monitor.listen(to: source.events) { [log] event in
      log.record("a\(event.frame)")
      guard event.frame == 1 else { return }
      late.value = monitor.listen(to: source.events) { log.record("late\($0.frame)") }
      source.publish(3)
      monitor.drain()
      log.record("drained")
    }
    source.publish(1, 2)
    monitor.drain()
    XCTAssertEqual(log.events, ["a1", "drained", "a2", "a3", "late3"])
    withExtendedLifetime(token) {}
  }

  func test_monitor_pollsOnlyWhileItHasListeners() {
    let counting = CountingScheduler(scheduler: scheduler)
    let monitor = RenderEventMonitor(scheduler: counting)
    let source = Source()
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(counting.deadlines.events.count, 0)
    let token = listen(monitor, to: source, as: "a")
    scheduler.advance(by: .milliseconds(100))
    XCTAssertEqual(counting.deadlines.events.count, 6)
    token.cancel()
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(counting.deadlines.events.count, 6)
    let again = listen(monitor, to: source, as: "b")
    source.publish(1)
    scheduler.advance(by: .milliseconds(20))
    XCTAssertEqual(log.events, ["b1"])
    withExtendedLifetime(again) {}
  }

  func test_monitor_doesNotRetainSources_andPollsWhileAListenersTokenIsRetained() {
    let counting = CountingScheduler(scheduler: scheduler)
    var monitor: RenderEventMonitor? = RenderEventMonitor(scheduler: counting)
    weak let weakMonitor = monitor
    var source: Source? = Source()
    weak let weakSource = source
    weak let weakRing = source?.events
    let freed = Recorder<String>()
    var canary: Canary? = Canary { freed.record("closure") }
    var token: ObservationToken? = source.flatMap { source in
      monitor?.listen(to: source.events) { [canary] _ in canary?.sing() }
    }
    canary = nil
    source = nil
    XCTAssertNil(weakSource)
    XCTAssertNil(weakRing)
    scheduler.advance(by: .milliseconds(20))
    let waits = counting.deadlines.events.count
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(counting.deadlines.events.count, waits, "there is no source left to poll")
    XCTAssertEqual(freed.events, [])
    token?.cancel()
    XCTAssertEqual(freed.events, ["closure"])

    let second = Source()
    token = monitor.map { listen($0, to: second, as: "a") }
    monitor = nil
    second.publish(1)
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(log.events, ["a1"])
    token = nil
    XCTAssertNil(weakMonitor)
    second.publish(2)
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(log.events, ["a1"])
  }

  func test_slowListener_isCalledOncePerEvent() {
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let source = Source()
    // The clock advances by one second while the listener closure runs.
    let token = monitor.listen(to: source.events) { [log, scheduler] event in
      log.record("a\(event.frame)")
      if event.frame == 1 { scheduler.advance(by: .seconds(1)) }
    }
    source.publish(1)
    scheduler.advance(by: .milliseconds(20))
    source.publish(2)
    scheduler.advance(by: .milliseconds(20))
    XCTAssertEqual(log.events, ["a1", "a2"])
    withExtendedLifetime(token) {}
  }

  func test_drain_onManyThreads_deliversEachEventOnceAndInOrder() {
    let monitor = RenderEventMonitor(scheduler: scheduler)
    let source = Source()
    let frames = Recorder<Int64>()
    let token = monitor.listen(to: source.events) { frames.record($0.frame) }
    let threads = (0..<3).map { _ in
      OtherThread { for _ in 0..<200 { monitor.drain() } }
    }
    for frame in 1...60 as ClosedRange<Int64> { source.publish(frame) }
    threads.forEach { $0.join() }
    monitor.drain()
    XCTAssertEqual(frames.events, Array(1...60))
    withExtendedLifetime(token) {}
  }
}
