import Dispatch
import HearingProcessing
import TestSupport
import XCTest

final class ObservationTokenTests: TimedTestCase {
  private let record = Recorder<String>()

  private func token(_ name: String = "cancelled") -> ObservationToken {
    ObservationToken { [record] in record.record(name) }
  }

  func test_cancel_runsTheClosureOnce() {
    let token = token()
    token.cancel()
    token.cancel()
    XCTAssertEqual(record.events, ["cancelled"])
  }

  func test_releasingTheToken_cancelsTheObservation() {
    var token: ObservationToken? = token()
    XCTAssertNotNil(token)
    token = nil
    XCTAssertEqual(record.events, ["cancelled"])
  }

  func test_releaseAfterCancel_doesNotRunTheClosureAgain() {
    do {
      let token = token()
      token.cancel()
    }
    XCTAssertEqual(record.events, ["cancelled"])
  }

  func test_cancel_releasesTheClosure() {
    let token: ObservationToken
    do {
      let canary = Canary { [record] in record.record("freed") }
      token = ObservationToken { canary.sing() }
    }
    token.cancel()
    XCTAssertEqual(record.events, ["freed"])
  }

  func test_cancelInsideTheClosure_doesNotRunTheClosureAgain() {
    let holder = Holder<ObservationToken>()
    holder.value = ObservationToken { [record] in
      holder.value?.cancel()
      holder.value = nil
      record.record("cancelled")
    }
    holder.value?.cancel()
    XCTAssertEqual(record.events, ["cancelled"])
  }

  func test_tokensStoredInASet_areCancelledWhenTheSetRemovesThem() {
    var tokens: Set<ObservationToken> = []
    token("a").store(in: &tokens)
    token("b").store(in: &tokens)
    XCTAssertEqual(record.events, [])
    tokens.removeAll()
    XCTAssertEqual(record.events.sorted(), ["a", "b"])
  }

  func test_tokens_areEqualOnlyToThemselves() {
    let a = token("a")
    let b = token("b")
    XCTAssertEqual(a, a)
    XCTAssertNotEqual(a, b)
    XCTAssertEqual(Set([a, a, b]).count, 2)
  }

  func test_anEmptyToken_canBeCancelled() {
    ObservationToken().cancel()
  }

  func test_cancelFromManyThreads_runsTheClosureOnce() {
    for _ in 0..<200 {
      let record = Recorder<Int>()
      let token = ObservationToken { record.record(1) }
      DispatchQueue.concurrentPerform(iterations: 4) { _ in token.cancel() }
      XCTAssertEqual(record.events, [1])
    }
  }
}
