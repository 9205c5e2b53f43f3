import XCTest

@testable import HearingRemote

final class RetryDelayTests: XCTestCase {
  func test_delay_doublesWithEachFailure_upTo5Minutes() {
    var delay = RetryDelay()
    XCTAssertNil(delay.remaining(at: .zero))
    var seen: [Duration?] = []
    for _ in 0..<11 {
      delay.failed(at: .zero, retryAfter: nil, jitter: 1)
      seen.append(delay.remaining(at: .zero))
    }
    XCTAssertEqual(seen.prefix(3), [.seconds(1), .seconds(2), .seconds(4)])
    XCTAssertEqual(seen.last, .seconds(300))
    delay.succeeded()
    XCTAssertNil(delay.remaining(at: .zero))
  }

  func test_delay_isAtLeastRetryAfter_andAtMostTenMinutes() {
    var delay = RetryDelay()
    delay.failed(at: .seconds(5), retryAfter: 30, jitter: 0.5)
    XCTAssertEqual(delay.remaining(at: .seconds(15)), .seconds(20))
    XCTAssertNil(delay.remaining(at: .seconds(35)))
    delay.failed(at: .zero, retryAfter: 1e12, jitter: 0.5)
    XCTAssertEqual(delay.remaining(at: .zero), .seconds(600))
  }
}
