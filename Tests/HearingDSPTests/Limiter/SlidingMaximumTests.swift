import TestSupport
import XCTest

@testable import HearingDSP

final class SlidingMaximumTests: XCTestCase {
  func test_add_returnsTheMaximumOfTheWindow() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for length in [1, 2, 3, 7, 64, 193] {
      var maximum = SlidingMaximum(length: length)
      for _ in 0..<2 {
        let numbers = (0..<1_000).map { _ in
          Bool.random(using: &generator) ? Float.random(in: 0...1, using: &generator) : 0
        }
        for index in numbers.indices {
          let window = numbers[max(0, index + 1 - length)...index]
          XCTAssertEqual(maximum.add(numbers[index]), window.max(), "\(length), \(index)")
        }
        maximum.clear()
      }
    }
  }
}
