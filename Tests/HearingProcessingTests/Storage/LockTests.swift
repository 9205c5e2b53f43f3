import Dispatch
import XCTest

@testable import HearingProcessing

final class LockTests: TimedTestCase {
  func test_withLock_onManyThreads_runsOneThreadAtATime() {
    final class Shared: Sendable {
      let pair = Lock((0, 0))
    }
    let shared = Shared()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<2_000 {
        let isTorn = shared.pair.withLock { pair in
          defer {
            pair.0 += 1
            pair.1 += 1
          }
          return pair.0 != pair.1
        }
        if isTorn { XCTFail("two threads were in the lock") }
      }
    }
    XCTAssertEqual(shared.pair.withLock { $0.0 }, 16_000)
  }
}
