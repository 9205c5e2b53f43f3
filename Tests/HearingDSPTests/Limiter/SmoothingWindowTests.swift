import TestSupport
import XCTest

@testable import HearingDSP

final class SmoothingWindowTests: XCTestCase {
  func test_add_returnsATriangularWeightedMeanOverTheWindowLength() {
    for length in [2, 3, 49, 50, 481] {
      var window = SmoothingWindow(length: length)
      let weights = (0..<length + 20).map { window.add($0 == 0 ? 1 : 0) }
      XCTAssertEqual(weights.reduce(0, +), 1, accuracy: 1e-12)
      XCTAssertTrue(weights.prefix(length).allSatisfy { $0 > 0 })
      XCTAssertTrue(weights.dropFirst(length).allSatisfy { $0 == 0 })
      // The weights rise linearly and then fall linearly.
      for (low, high) in zip(weights, weights.dropFirst()).prefix(length / 2 - 1) {
        XCTAssertGreaterThanOrEqual(high, low)
      }
    }
  }

  func test_add_afterAllNonzeroValuesLeftTheWindow_returnsExactlyZero() {
    var generator = SeededGenerator(seed: 5)
    var window = SmoothingWindow(length: 97)
    for _ in 0..<100_000 { _ = window.add(Float.random(in: 0...1, using: &generator)) }
    XCTAssertFalse(window.isEmpty)
    for _ in 0..<97 { _ = window.add(0) }
    XCTAssertTrue(window.isEmpty)
    XCTAssertEqual(window.add(0), 0)
  }

  func test_clear_emptiesTheWindow() {
    var window = SmoothingWindow(length: 10)
    _ = window.add(1)
    window.clear()
    XCTAssertEqual(window.add(0), 0)
  }
}
