import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class RunningMeanTests: XCTestCase {
  func test_add_anyNumberOfValues_returnsTheMeanOfTheLatestValues() {
    var generator = SeededGenerator(seed: 3)
    for length in [1, 2, 7, 75] {
      var mean = RunningMean(length: length, of: -5)
      var last = Array(repeating: Int64(-5), count: length)
      for _ in 0..<2_000 {
        let value = Int64.random(in: -20_000_000...0, using: &generator)
        last.removeFirst()
        last.append(value)
        XCTAssertEqual(mean.add(value), last.reduce(0, +) / Int64(length))
      }
      mean.fill(with: 9)
      XCTAssertEqual(mean.add(9), 9)
    }
  }
}
