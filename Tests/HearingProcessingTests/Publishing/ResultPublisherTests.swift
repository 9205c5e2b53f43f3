import Dispatch
import TestSupport
import XCTest

@testable import HearingProcessing

/// Tests the guarantees of a future. It delivers exactly one result and then ends. Late subscribers
/// also get this result.
final class ResultPublisherTests: TimedTestCase {
  private enum Failure: Error, Equatable { case broken }
  private typealias Publisher = ResultPublisher<Int, Failure>

  private let publisher = Publisher()
  private let record = Recorder<String>()

  private func watch(_ name: String, _ publisher: Publisher? = nil) -> ObservationToken {
    (publisher ?? self.publisher).sink { [record] in
      record.record("\(name) \($0)")
    } receiveValue: { [record] in
      record.record("\(name) \($0)")
    }
  }

  // MARK: One result

  func test_success_deliversTheValueThenTheCompletion() {
    let token = watch("a")
    XCTAssertEqual(record.events, [])
    publisher.settle(.success(1))
    XCTAssertEqual(record.events, ["a 1", "a finished"])
    token.cancel()
  }

  func test_failure_deliversOnlyTheCompletion() {
    let token = watch("a")
    publisher.settle(.failure(.broken))
    XCTAssertEqual(record.events, ["a failure(\(Failure.broken))"].map { _ in record.events[0] })
    XCTAssertEqual(record.events.count, 1)
    XCTAssertTrue(record.events[0].contains("broken"))
    token.cancel()
  }

  func test_secondResult_isIgnored() {
    let token = watch("a")
    XCTAssertTrue(publisher.settle(.success(1)))
    XCTAssertFalse(publisher.settle(.success(2)))
    XCTAssertFalse(publisher.settle(.failure(.broken)))
    XCTAssertEqual(record.events, ["a 1", "a finished"])
    let late = watch("late")
    XCTAssertEqual(record.events.suffix(2), ["late 1", "late finished"])
    token.cancel()
    late.cancel()
  }

  func test_lateSubscribers_getTheResultBeforeSinkReturns() {
    publisher.settle(.success(1))
    let tokens = [watch("a"), watch("b")]
    XCTAssertEqual(record.events, ["a 1", "a finished", "b 1", "b finished"])
    XCTAssertEqual(tokens.count, 2)
  }

  func test_lateSubscribers_getTheFailureBeforeSinkReturns() {
    let failed = Publisher(.failure(.broken))
    let token = watch("a", failed)
    XCTAssertEqual(record.events.count, 1)
    token.cancel()
  }

  func test_subscribers_areCalledInOrderOfSubscription() {
    let tokens = ["a", "b", "c"].map { watch($0) }
    publisher.settle(.success(1))
    XCTAssertEqual(
      record.events, ["a 1", "a finished", "b 1", "b finished", "c 1", "c finished"])
    XCTAssertEqual(tokens.count, 3)
  }

  func test_settleFromManyThreads_deliversOneResultOnce() {
    for _ in 0..<100 {
      let publisher = Publisher()
      let seen = Recorder<Int>()
      let firsts = Recorder<Int>()
      let token = publisher.sink { _ in
      } receiveValue: {
        seen.record($0)
      }
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        if publisher.settle(.success(thread)) { firsts.record(thread) }
      }
      XCTAssertEqual(seen.events.count, 1)
      XCTAssertEqual(seen.events, firsts.events)
      token.cancel()
    }
  }

  func test_sinksAndSettleOnManyThreads_reachEverySubscriberOnce() {
    for _ in 0..<100 {
      let publisher = Publisher()
      let values = Recorder<Int>()
      let completions = Recorder<Int>()
      let tokens = Recorder<ObservationToken>()
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        if thread == 0 { publisher.settle(.success(1)) }
        tokens.record(
          publisher.sink { _ in
            completions.record(thread)
          } receiveValue: { _ in
            values.record(thread)
          })
      }
      XCTAssertEqual(values.events.sorted(), [0, 1, 2, 3])
      XCTAssertEqual(completions.events.sorted(), [0, 1, 2, 3])
    }
  }

  // MARK: Cancelling

  func test_cancelBeforeTheResult_deliversNothing() {
    let token = watch("a")
    token.cancel()
    publisher.settle(.success(1))
    XCTAssertEqual(record.events, [])
  }

  func test_releasedToken_deliversNothing() {
    _ = watch("a")
    publisher.settle(.success(1))
    XCTAssertEqual(record.events, [])
  }

  func test_cancelInsideReceiveValue_deliversNoCompletion() {
    let token = Holder<ObservationToken>()
    token.value = publisher.sink { [record] _ in
      record.record("completion")
    } receiveValue: { [record] in
      record.record("\($0)")
      token.take()?.cancel()
    }
    publisher.settle(.success(1))
    XCTAssertEqual(record.events, ["1"])
  }

  func test_cancelOfALaterSubscriberDuringDelivery_preventsItsDelivery() {
    let later = Holder<ObservationToken>()
    let first = publisher.sink { _ in
    } receiveValue: { _ in
      later.value?.cancel()
    }
    later.value = watch("later")
    publisher.settle(.success(1))
    XCTAssertEqual(record.events, [])
    first.cancel()
  }

  func test_cancelTwice_afterTheResult_doesNothing() {
    let token = watch("a")
    publisher.settle(.success(1))
    token.cancel()
    token.cancel()
    XCTAssertEqual(record.events, ["a 1", "a finished"])
  }

  // MARK: Re-entrancy

  func test_sinkCalledInsideReceiveValue_getsTheResultImmediately() {
    let inner = Holder<ObservationToken>()
    let token = publisher.sink { [record] _ in
      record.record("outer finished")
    } receiveValue: { [publisher, record] value in
      record.record("outer \(value)")
      inner.value = publisher.sink { _ in
        record.record("inner finished")
      } receiveValue: {
        record.record("inner \($0)")
      }
    }
    publisher.settle(.success(1))
    XCTAssertEqual(record.events, ["outer 1", "inner 1", "inner finished", "outer finished"])
    token.cancel()
  }

  func test_settleFromInsideReceiveValue_isIgnored() {
    let token = publisher.sink { [record] _ in
      record.record("finished")
    } receiveValue: { [publisher, record] in
      record.record("\($0), second: \(publisher.settle(.success(2)))")
    }
    publisher.settle(.success(1))
    XCTAssertEqual(record.events, ["1, second: false", "finished"])
    token.cancel()
  }

  // MARK: Releasing

  private func watchWithCanary(_ publisher: Publisher, onFree: @escaping @Sendable () -> Void)
    -> ObservationToken
  {
    let canary = Canary(onFree)
    return publisher.sink { _ in
      canary.sing()
    } receiveValue: { _ in
      canary.sing()
    }
  }

  func test_result_releasesTheClosures_evenIfTheTokenIsRetained() {
    let token = watchWithCanary(publisher) { [record] in record.record("freed") }
    XCTAssertEqual(record.events, [])
    publisher.settle(.success(1))
    XCTAssertEqual(record.events, ["freed"])
    token.cancel()
    XCTAssertEqual(record.events, ["freed"])
  }

  func test_cancel_releasesTheClosures() {
    let token = watchWithCanary(publisher) { [record] in record.record("freed") }
    token.cancel()
    XCTAssertEqual(record.events, ["freed"])
  }

  func test_sinkAfterTheResult_releasesTheClosures() {
    publisher.settle(.success(1))
    let token = watchWithCanary(publisher) { [record] in record.record("freed") }
    XCTAssertEqual(record.events, ["freed"])
    token.cancel()
  }

  func test_deinitOfACapturedObject_canSubscribeToThePublisher() {
    let publisher = publisher
    let record = record
    let useIt: @Sendable () -> Void = {
      publisher.sink { _ in
      } receiveValue: {
        record.record("\($0)")
      }.cancel()
      record.record("freed")
    }
    let cancelled = watchWithCanary(publisher, onFree: useIt)
    let settled = watchWithCanary(publisher, onFree: useIt)
    cancelled.cancel()
    XCTAssertEqual(record.events, ["freed"])
    publisher.settle(.success(1))
    XCTAssertEqual(record.events, ["freed", "1", "freed"])
    settled.cancel()
  }

  func test_token_doesNotRetainThePublisher() {
    var publisher: Publisher? = Publisher()
    weak let weakPublisher = publisher
    let token = publisher.map { watchWithCanary($0) { [record] in record.record("freed") } }
    publisher = nil
    XCTAssertNil(weakPublisher)
    token?.cancel()
    XCTAssertEqual(record.events, ["freed"])
  }

  // MARK: On the main actor

  @MainActor
  func test_sinkOnMainActor_deliversTheValueThenTheCompletion() async {
    let isOver = AsyncStream.makeStream(of: Void.self)
    let token = publisher.sinkOnMainActor { [record] in
      MainActor.assertIsolated()
      record.record("\($0)")
      isOver.continuation.yield()
    } receiveValue: { [record] in
      MainActor.assertIsolated()
      record.record("\($0)")
    }
    let publisher = publisher
    await Task.detached { _ = publisher.settle(.success(1)) }.value
    for await _ in isOver.stream { break }
    XCTAssertEqual(record.events, ["1", "finished"])
    token.cancel()
  }

  @MainActor
  func test_sinkOnMainActor_cancelInsideReceiveValue_deliversNoCompletion() async {
    let token = Holder<ObservationToken>()
    token.value = publisher.sinkOnMainActor { [record] _ in
      record.record("completion")
    } receiveValue: { [record] in
      record.record("\($0)")
      token.take()?.cancel()
    }
    publisher.settle(.success(1))
    await waitOnMainActor { [record] in !record.events.isEmpty }
    for _ in 0..<100 { await Task.yield() }
    XCTAssertEqual(record.events, ["1"])
  }

  @MainActor
  func test_sinkOnMainActor_releasesTheClosures_afterTheCompletion() async {
    var token: ObservationToken?
    do {
      let canary = Canary { [record] in record.record("freed") }
      token = publisher.sinkOnMainActor { _ in
        canary.sing()
      } receiveValue: { _ in
        canary.sing()
      }
    }
    publisher.settle(.success(1))
    XCTAssertEqual(record.events, [])
    await waitOnMainActor { [record] in record.events == ["freed"] }
    token?.cancel()
  }
}
