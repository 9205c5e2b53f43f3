import Dispatch
import TestSupport
import XCTest

@testable import HearingProcessing

final class CurrentValueSourceThreadTests: TimedTestCase {
  private let source = CurrentValueSource(0)

  func test_sendsFromManyThreads_areDeliveredToAllInTheSameOrderWithoutOverlap() {
    let source = source
    let records = (0..<4).map { _ in Recorder<Int>() }
    let isInside = (0..<4).map { _ in Holder(false) }
    let observations = zip(records, isInside).map { record, isInside in
      source.sink { value in
        if isInside.value == true { XCTFail("two calls overlap") }
        isInside.value = true
        record.record(value)
        isInside.value = false
      }
    }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 1...500 { source.send(thread * 1_000 + number) }
    }
    waitUntil { records.allSatisfy { $0.events.count == 4_001 } }
    for record in records {
      XCTAssertEqual(record.events.count, 4_001)
      XCTAssertEqual(record.events, records[0].events)
      XCTAssertEqual(record.events.last, source.value)
    }
    for thread in 0..<8 {
      let own = records[0].events.dropFirst().filter { $0 / 1_000 == thread }
      XCTAssertEqual(own, own.sorted(), "a thread's values keep their order")
    }
    for token in observations { token.cancel() }
  }

  func test_sinks_whileOtherThreadsSend_receiveConsecutiveValues() {
    let source = source
    let tails = Recorder<[Int]>()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      guard thread > 0 else {
        for number in 1...2_000 { source.send(number) }
        return
      }
      for _ in 0..<100 {
        let seen = Recorder<Int>()
        let token = source.sink { seen.record($0) }
        token.cancel()
        tails.record(seen.events)
      }
    }
    for tail in tails.events {
      guard let first = tail.first else { return XCTFail("no first value") }
      XCTAssertEqual(tail, Array(first..<(first + tail.count)))
    }
  }

  func test_twoSourcesThatSendIntoEachOther_doNotDeadlock() {
    let a = CurrentValueSource(0)
    let b = CurrentValueSource(0)
    let fromA = a.sink { if $0 > b.value { b.send($0) } }
    let fromB = b.sink { if $0 > a.value { a.send($0) } }
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for number in 1...1_000 { thread == 0 ? a.send(number) : b.send(number) }
    }
    fromA.cancel()
    fromB.cancel()
  }
}
