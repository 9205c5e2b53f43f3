import Foundation
import HearingDSP
import RealTimeProbe
import SignalTestSupport
import TestSupport
import XCTest

final class RenderEventRingTests: XCTestCase {
  private func kind(_ number: UInt32) -> RenderEvent.Kind {
    RenderEvent.Kind(rawValue: 0x1_0000 + number)
  }

  private func event(_ kind: UInt32, _ frame: Int64) -> RenderEvent {
    RenderEvent(self.kind(kind), frame: frame, value: Double(frame) / 2)
  }

  func test_drain_returnsEachPublishedEventOnceInOrder() {
    let ring = RenderEventRing(capacity: 3)
    XCTAssertEqual(ring.drain(), [])
    // The loop fills the event ring several times.
    for round in 0..<5 as Range<Int64> {
      let events = (0..<3).map { event(UInt32($0), 10 * round + $0) }
      for event in events { ring.publish(event) }
      XCTAssertEqual(ring.drain(), events)
      XCTAssertEqual(ring.drain(), [])
    }
    XCTAssertEqual(ring.missedCount, 0)
  }

  func test_publish_intoAFullRing_keepsTheLatestEventOfEachKind() {
    let ring = RenderEventRing(capacity: 2)
    for frame in 1...2 as ClosedRange<Int64> { ring.publish(event(0, frame)) }
    // The ring is full. Therefore the second event of kind 1 replaces the first event of kind 1.
    for (kind, frame) in [(1, 3), (2, 4), (3, 5), (1, 6)] as [(UInt32, Int64)] {
      ring.publish(event(kind, frame))
    }
    XCTAssertEqual(
      ring.drain(), [event(0, 1), event(0, 2), event(2, 4), event(3, 5), event(1, 6)])
    XCTAssertEqual(ring.missedCount, 1)
    ring.publish(event(1, 7))
    XCTAssertEqual(ring.drain(), [event(1, 7)])
    XCTAssertEqual(ring.missedCount, 1)
  }

  func test_publish_ofEightKindsIntoAFullRing_losesNoEvent() {
    let ring = RenderEventRing(capacity: 1)
    let events = (0...8).map { event(UInt32($0), Int64($0)) }
    for event in events { ring.publish(event) }
    XCTAssertEqual(ring.drain(), events)
    XCTAssertEqual(ring.missedCount, 0)
  }

  /// The ring has space for one event. The first event is in the ring. The other ten events have
  /// ten different kinds.
  func test_publish_ofTenKindsIntoAFullRing_keepsTheLatestEight_andCountsTheOthers() {
    let ring = RenderEventRing(capacity: 1)
    let events = (0...10).map { event(UInt32($0), Int64($0)) }
    for event in events { ring.publish(event) }
    XCTAssertEqual(ring.drain(), [events[0]] + events[3...])
    XCTAssertEqual(ring.missedCount, 2)
  }

  /// Events are published and drained in random order. They must arrive in the order of publishing,
  /// and none may arrive twice. After each drain, the latest event of each kind must have arrived.
  func test_drain_afterRandomPublishing_deliversTheLatestEventOfEachKind() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let ring = RenderEventRing(capacity: Int.random(in: 1...5, using: &generator))
      var published: [UInt32: Int64] = [:]
      var arrived: [UInt32: Int64] = [:]
      var frame: Int64 = 0
      var last: Int64 = 0
      var count: UInt64 = 0
      for _ in 0..<60 {
        if Int.random(in: 0..<8, using: &generator) > 0 {
          frame += 1
          let kind = UInt32.random(in: 0..<3, using: &generator)
          published[kind] = frame
          ring.publish(event(kind, frame))
        } else {
          for event in ring.drain() {
            XCTAssertGreaterThan(event.frame, last)
            last = event.frame
            arrived[event.kind.rawValue - 0x1_0000] = event.frame
            count += 1
          }
          XCTAssertEqual(arrived, published)
          XCTAssertEqual(count + ring.missedCount, UInt64(frame))
        }
      }
    }
  }

  func test_publish_duringDrain_deliversEventsInOrder_includingTheLast() {
    let ring = RenderEventRing(capacity: 4)
    let count: Int64 = 5_000
    let isDone = Flag()
    let first = kind(0)
    let thread = OtherThread {
      for frame in 1...count {
        ring.publish(
          RenderEvent(
            RenderEvent.Kind(rawValue: first.rawValue + UInt32(frame % 3)), frame: frame,
            value: Double(frame) / 2))
        if frame % 50 == 0 { sched_yield() }
      }
      isDone.isDone = true
    }
    var last: Int64 = 0
    var arrived: UInt64 = 0
    var isOver = false
    while !isOver {
      isOver = isDone.isDone
      let events = ring.drain()
      if events.isEmpty { sched_yield() }
      for event in events {
        XCTAssertGreaterThan(event.frame, last)
        XCTAssertEqual(event.kind.rawValue - first.rawValue, UInt32(event.frame % 3))
        XCTAssertEqual(event.value, Double(event.frame) / 2, "torn")
        last = event.frame
        arrived += 1
      }
    }
    thread.join()
    XCTAssertEqual(last, count)
    XCTAssertEqual(arrived + ring.missedCount, UInt64(count))
  }

  func test_publish_neverAllocatesOrLocks() throws {
    try XCTSkipUnless(
      real_time_probe_works(), "calls are counted on Linux without a sanitizer only")
    let ring = RenderEventRing(capacity: 4)
    let writer = ring.writer
    let kinds = (0..<12).map { kind($0) }
    kinds.withUnsafeBufferPointer { kinds in
      real_time_probe_start()
      for frame in 0..<100 {
        writer.publish(RenderEvent(kinds[frame % 12], frame: Int64(frame)))
      }
      let counts = real_time_probe_stop()
      XCTAssertEqual(counts.allocations + counts.deallocations + counts.locks, 0, "\(counts)")
      #if !DEBUG
        XCTAssertEqual(
          counts.retains + counts.releases + counts.objects + counts.accesses, 0, "\(counts)")
      #endif
    }
  }
}
