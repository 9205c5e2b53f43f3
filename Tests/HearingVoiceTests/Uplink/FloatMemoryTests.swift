import HearingBuffers
import XCTest

@testable import HearingVoice

final class FloatMemoryTests: XCTestCase {
  func test_take_parts_areZeroAndApart_andClearSetsAllToZero() {
    var memory = FloatMemory(capacity: 10)
    let (first, second) = (memory.take(4), memory.take(6))
    for (row, count) in [(first, 4), (second, 6)] {
      for index in 0..<count {
        XCTAssertEqual(row[index], 0)
        row[index] = 3
      }
    }
    memory.clear()
    for (row, count) in [(first, 4), (second, 6)] {
      for index in 0..<count { XCTAssertEqual(row[index], 0) }
    }
  }
}
