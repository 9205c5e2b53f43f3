import HearingProcessing
import TestSupport
import XCTest

final class EventPublisherTests: TimedTestCase {
  func test_sink_receivesEventsAfterSubscription_includingEqualEvents() {
    let source = EventSource<Int>()
    let publisher = EventPublisher(source)
    let seen = Recorder<String>()
    source.send(1)
    let first = publisher.sink { seen.record("first \($0)") }
    source.send(2)
    source.send(2)
    let second = publisher.sink { seen.record("second \($0)") }
    source.send(3)
    first.cancel()
    source.send(4)
    XCTAssertEqual(
      seen.events, ["first 2", "first 2", "first 3", "second 3", "second 4"])
    second.cancel()
  }

  func test_send_insideASubscriber_isDeliveredNext_inTheSameOrderToAll() {
    let source = EventSource<Int>()
    let publisher = EventPublisher(source)
    let seen = Recorder<String>()
    let first = publisher.sink { event in
      seen.record("first \(event)")
      if event < 3 { source.send(event + 1) }
    }
    let second = publisher.sink { seen.record("second \($0)") }
    source.send(1)
    XCTAssertEqual(
      seen.events, ["first 1", "second 1", "first 2", "second 2", "first 3", "second 3"])
    withExtendedLifetime((first, second)) {}
  }

  func test_sink_insideASubscriber_getsLaterEventsOnly() {
    let source = EventSource<Int>()
    let publisher = EventPublisher(source)
    let seen = Recorder<Int>()
    let inner = Holder<ObservationToken>()
    let outer = publisher.sink { _ in
      if inner.value == nil { inner.value = publisher.sink { seen.record($0) } }
    }
    source.send(1)
    source.send(2)
    XCTAssertEqual(seen.events, [2])
    outer.cancel()
  }

  func test_events_deliversEveryEvent_andEndsWhenTheSourceIsReleased() async {
    var source: EventSource<Int>? = EventSource()
    let events = source.map { EventPublisher($0).events }
    for event in 0..<1_000 { source?.send(event) }
    source = nil
    var received: [Int] = []
    for await event in events ?? AsyncStream(unfolding: { nil }) { received.append(event) }
    XCTAssertEqual(received, Array(0..<1_000))
  }

  func test_send_fromManyThreads_deliversTheSameSequenceToAllSubscribers() {
    let source = EventSource<Int>()
    let publisher = EventPublisher(source)
    let records = (0..<3).map { _ in Recorder<Int>() }
    let tokens = records.map { record in publisher.sink { record.record($0) } }
    let threads = (0..<4).map { number in
      OtherThread {
        for event in 0..<500 { source.send(number * 500 + event) }
      }
    }
    for thread in threads { thread.join() }
    waitUntil { records.allSatisfy { $0.events.count == 2_000 } }
    XCTAssertEqual(records[0].events.sorted(), Array(0..<2_000))
    XCTAssertEqual(records[1].events, records[0].events)
    XCTAssertEqual(records[2].events, records[0].events)
    withExtendedLifetime(tokens) {}
  }
}
