import Foundation
import Dispatch
import TestSupport
import XCTest

@testable import HearingProcessing

/// Tests the guarantees of a publisher with a current value. They concern the first value, the
/// order of values, re-entrancy, cancellation and release.
final class CurrentValueSourceTests: TimedTestCase {
  private let source = CurrentValueSource(0)
  private let record = Recorder<String>()
  private var tokens: Set<ObservationToken> = []

  override func tearDown() {
    tokens = []
  }

  private func watch(_ name: String) {
    source.sink { [record] in record.record("\(name) \($0)") }.store(in: &tokens)
  }

  // MARK: Values

  func test_sink_deliversTheCurrentValueBeforeItReturns_thenEachNewValue() {
    let token = source.sink { [record] in record.record("\($0)") }
    record.record("returned")
    source.send(1)
    source.send(2)
    XCTAssertEqual(record.events, ["0", "returned", "1", "2"])
    XCTAssertEqual(source.value, 2)
    token.cancel()
  }

  func test_lateSubscriber_receivesOnlyTheLastValue() {
    source.send(1)
    source.send(2)
    watch("late")
    XCTAssertEqual(record.events, ["late 2"])
  }

  func test_send_storesTheValueBeforeItNotifies() {
    source.sink { [source, record] in record.record("value \($0), reads \(source.value)") }
      .store(in: &tokens)
    source.send(1)
    XCTAssertEqual(record.events, ["value 0, reads 0", "value 1, reads 1"])
  }

  func test_send_withoutSubscribers_storesTheValue() {
    source.send(5)
    XCTAssertEqual(source.value, 5)
  }

  func test_equalValues_areSentAgain() {
    watch("a")
    source.send(0)
    XCTAssertEqual(record.events, ["a 0", "a 0"])
  }

  func test_subscribers_areCalledInOrderOfSubscription() {
    for name in ["a", "b", "c", "d"] { watch(name) }
    source.send(1)
    XCTAssertEqual(Array(record.events.dropFirst(4)), ["a 1", "b 1", "c 1", "d 1"])
  }

  func test_subscribers_keepTheirOrder_whenOthersAreAddedAndCancelled() {
    var others = (0..<50).map { _ in source.sink { _ in } }
    watch("a")
    others += (0..<50).map { _ in source.sink { _ in } }
    watch("b")
    others = []
    watch("c")
    source.send(1)
    XCTAssertEqual(Array(record.events.suffix(3)), ["a 1", "b 1", "c 1"])
  }

  // MARK: Re-entrancy

  func test_sendFromInsideASubscriber_isDeliveredToAllInTheSameOrder() {
    watch("a")
    source.sink { [source] in if $0 == 1 { source.send(2) } }.store(in: &tokens)
    watch("b")
    source.send(1)
    XCTAssertEqual(record.events, ["a 0", "b 0", "a 1", "b 1", "a 2", "b 2"])
    XCTAssertEqual(source.value, 2)
  }

  func test_sendsFromInsideASubscriber_areNotDeliveredRecursively() {
    let isInside = Holder(false)
    source.sink { [source] value in
      if isInside.value == true { XCTFail("a call inside a call") }
      isInside.value = true
      if value < 100_000 { source.send(value + 1) }
      isInside.value = false
    }.store(in: &tokens)
    waitUntil { source.value == 100_000 }
  }

  func test_sendInTheFirstDelivery_reachesOlderSubscribersBeforeTheNewSubscriber() {
    watch("old")
    source.sink { [source, record] value in
      record.record("new \(value) begins")
      if value == 0 { source.send(1) }
      record.record("new \(value) ends")
    }.store(in: &tokens)
    XCTAssertEqual(
      record.events,
      ["old 0", "new 0 begins", "old 1", "new 0 ends", "new 1 begins", "new 1 ends"])
  }

  func test_sinkFromInsideASubscriber_receivesTheCurrentValueOnce_thenLaterValues() {
    let inner = Holder<ObservationToken>()
    source.sink { [source, record] value in
      record.record("outer \(value)")
      if value == 1 { inner.value = source.sink { record.record("inner \($0)") } }
    }.store(in: &tokens)
    watch("last")
    source.send(1)
    source.send(2)
    XCTAssertEqual(
      record.events,
      [
        "outer 0", "last 0", "outer 1", "inner 1", "last 1", "outer 2", "last 2", "inner 2",
      ])
  }

  func test_sinkFromInsideASubscriber_whileNewerValuesWait_receivesTheNewestOnce() {
    let inner = Holder<ObservationToken>()
    source.sink { [source, record] value in
      guard value == 1 else { return }
      source.send(2)
      source.send(3)
      inner.value = source.sink { record.record("inner \($0)") }
    }.store(in: &tokens)
    watch("last")
    source.send(1)
    XCTAssertEqual(record.events, ["last 0", "inner 3", "last 1", "last 2", "last 3"])
  }

  // MARK: Cancelling

  func test_cancel_endsTheDelivery() {
    let token = source.sink { [record] in record.record("\($0)") }
    token.cancel()
    token.cancel()
    source.send(1)
    XCTAssertEqual(record.events, ["0"])
  }

  func test_releasedToken_endsTheDelivery() {
    _ = source.sink { [record] in record.record("\($0)") }
    source.send(1)
    XCTAssertEqual(record.events, ["0"])
  }

  func test_cancelFromInsideItsOwnSubscriber_endsTheDelivery() {
    let token = Holder<ObservationToken>()
    token.value = source.sink { [record] value in
      record.record("\(value)")
      if value == 1 { token.take()?.cancel() }
    }
    source.send(1)
    source.send(2)
    XCTAssertEqual(record.events, ["0", "1"])
  }

  func test_cancelOfALaterSubscriberDuringDelivery_preventsItsDelivery() {
    let later = Holder<ObservationToken>()
    source.sink { if $0 == 1 { later.value?.cancel() } }.store(in: &tokens)
    later.value = source.sink { [record] in record.record("later \($0)") }
    watch("last")
    source.send(1)
    XCTAssertEqual(record.events, ["later 0", "last 0", "last 1"])
  }

  func test_cancelWhileValuesAreQueued_deliversNoneOfThem() {
    let token = Holder<ObservationToken>()
    source.sink { [source] value in
      guard value == 1 else { return }
      source.send(2)
      source.send(3)
    }.store(in: &tokens)
    token.value = source.sink { [record] value in
      record.record("\(value)")
      if value == 2 { token.value?.cancel() }
    }
    source.send(1)
    XCTAssertEqual(record.events, ["0", "1", "2"])
  }

  func test_cancelOnAnotherThread_duringADelivery_preventsLaterDeliveries() {
    let isInside = DispatchSemaphore(value: 0)
    let mayLeave = DispatchSemaphore(value: 0)
    let token = source.sink { [record] value in
      record.record("begin \(value)")
      if value == 1 {
        isInside.signal()
        mayLeave.wait()
      }
      record.record("end \(value)")
    }
    let sending = OtherThread { [source] in
      source.send(1)
      source.send(2)
    }
    isInside.wait()
    source.send(10)
    token.cancel()
    mayLeave.signal()
    sending.join()
    XCTAssertEqual(record.events, ["begin 0", "end 0", "begin 1", "end 1"])
  }

  // MARK: Releasing

  func test_cancel_releasesCapturedObjectsOnce() {
    var token: ObservationToken?
    do {
      let canary = Canary { [record] in record.record("freed") }
      token = source.sink { _ in canary.sing() }
    }
    XCTAssertEqual(record.events, [])
    token?.cancel()
    XCTAssertEqual(record.events, ["freed"])
    token = nil
    XCTAssertEqual(record.events, ["freed"])
  }

  func test_deinitOfACapturedObject_canSendAndSubscribe() {
    var token: ObservationToken?
    do {
      let canary = Canary { [source, record] in
        source.send(source.value + 1)
        source.sink { record.record("from deinit \($0)") }.cancel()
      }
      token = source.sink { _ in canary.sing() }
    }
    source.send(1)
    token?.cancel()
    XCTAssertEqual(record.events, ["from deinit 2"])
  }

  func test_deinitOfACapturedObject_afterCancelInsideDelivery_canSend() {
    let token = Holder<ObservationToken>()
    do {
      let canary = Canary { [source, record] in
        record.record("freed")
        source.send(2)
      }
      token.value = source.sink { value in
        canary.sing()
        if value == 1 { token.take()?.cancel() }
      }
    }
    watch("last")
    source.send(1)
    XCTAssertEqual(Set(record.events), ["last 0", "freed", "last 1", "last 2"])
    XCTAssertEqual(record.events.filter { $0.hasPrefix("last") }, ["last 0", "last 1", "last 2"])
  }

  func test_deinitOfAReplacedValue_canUseTheSource() {
    let source = CurrentValueSource<Canary?>(nil)
    let record = record
    source.send(
      Canary { [weak source] in
        let (source, isDone) = (source, DispatchSemaphore(value: 0))
        // This closure runs on another thread. If the test thread holds the lock of the source, the
        // other thread waits for it.
        Thread.detachNewThread {
          record.record("freed, now \(source?.value == nil ? "nil" : "another")")
          isDone.signal()
        }
        if isDone.wait(timeout: .now() + 5) == .timedOut { record.record("freed under the lock") }
      })
    XCTAssertEqual(record.events, [])
    source.send(nil)
    XCTAssertEqual(record.events, ["freed, now nil"])
  }

  func test_token_doesNotRetainTheSource() {
    var source: CurrentValueSource<Int>? = CurrentValueSource(0)
    weak let weakSource = source
    let token = source?.sink { _ in }
    source = nil
    XCTAssertNil(weakSource)
    token?.cancel()
  }

  func test_releasingSourceAndToken_freesTheSubscribers() {
    var source: CurrentValueSource<Int>? = CurrentValueSource(0)
    var token: ObservationToken?
    do {
      let canary = Canary { [record] in record.record("freed") }
      token = source?.sink { _ in canary.sing() }
    }
    source = nil
    token = nil
    XCTAssertEqual(record.events, ["freed"])
    XCTAssertNil(token)
  }

  // MARK: Finishing

  func test_finish_endsEverySubscriptionOnceInOrder_andLaterSendsAreNotDelivered() {
    for name in ["a", "b"] {
      source.sink(finish: { [record] in record.record("\(name) finished") }) { [record] in
        record.record("\(name) \($0)")
      }.store(in: &tokens)
    }
    source.finish()
    source.finish()
    source.send(1)
    XCTAssertEqual(record.events, ["a 0", "b 0", "a finished", "b finished"])
    XCTAssertEqual(source.value, 1)
  }

  func test_sinkAfterFinish_deliversTheLastValueThenTheEnd() {
    source.finish()
    source.sink(finish: { [record] in record.record("finished") }) { [record] in
      record.record("\($0)")
    }.store(in: &tokens)
    XCTAssertEqual(record.events, ["0", "finished"])
  }

  func test_finishFromInsideASubscriber_isDeliveredAfterTheQueuedValues() {
    source.sink { [source] value in
      guard value == 1 else { return }
      source.send(2)
      source.finish()
    }.store(in: &tokens)
    source.sink(finish: { [record] in record.record("finished") }) { [record] in
      record.record("\($0)")
    }.store(in: &tokens)
    source.send(1)
    XCTAssertEqual(record.events, ["0", "1", "2", "finished"])
  }

  func test_finishDuringTheFirstDelivery_isDeliveredAfterAllValues() {
    source.sink(finish: { [record] in record.record("finished") }) { [source, record] value in
      record.record("begin \(value)")
      if value == 0 {
        source.send(1)
        source.finish()
      }
      record.record("end \(value)")
    }.store(in: &tokens)
    XCTAssertEqual(record.events, ["begin 0", "end 0", "begin 1", "end 1", "finished"])
  }

  // MARK: Many subscribers

  func test_aHundredThousandSubscribers_canCancelInAnyOrder() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var many = (0..<100_000).map { _ in source.sink { _ in } }
    many.shuffle(using: &generator)
    many = []
    watch("a")
    source.send(1)
    XCTAssertEqual(record.events, ["a 0", "a 1"])
    XCTAssertEqual(source.subscriberCount, 1)
  }
}
