import TestSupport
import XCTest

@testable import HearingDSP

final class RunningSumTests: XCTestCase {
  func test_add_anyNumberOfValues_returnsTheSumOfTheLatestValues() {
    var generator = SeededGenerator(seed: 3)
    for length in [1, 2, 7, 75] {
      var sum = RunningSum(length: length, of: -5)
      var last = Array(repeating: Int64(-5), count: length)
      for _ in 0..<2_000 {
        let value = Int64.random(in: -20_000_000...0, using: &generator)
        last.removeFirst()
        last.append(value)
        XCTAssertEqual(sum.add(value), last.reduce(0, +))
      }
      sum.fill(9)
      XCTAssertEqual(sum.add(9), 9 * Int64(length))
    }
  }
}
