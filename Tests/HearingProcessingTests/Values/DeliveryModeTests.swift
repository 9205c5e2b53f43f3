import XCTest

@testable import HearingProcessing

final class DeliveryModeTests: TimedTestCase {
  func test_normalized_withAnInvalidInterval_returnsContinuous() {
    for seconds: Double in [0, -0.0, -1, .nan, .infinity, -.infinity] {
      XCTAssertEqual(DeliveryMode.discrete(seconds: seconds).normalized, .continuous)
    }
    for seconds: Double in [0.2, 1e300, .leastNonzeroMagnitude] {
      XCTAssertEqual(
        DeliveryMode.discrete(seconds: seconds).normalized, .discrete(seconds: seconds))
    }
    XCTAssertEqual(DeliveryMode.latest.normalized, .latest)
    XCTAssertEqual(DeliveryMode.continuous.normalized, .continuous)
  }
}
