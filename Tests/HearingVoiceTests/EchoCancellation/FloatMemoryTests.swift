import HearingBuffers
import XCTest

@testable import HearingVoice

final class FloatMemoryTests: XCTestCase {
  func test_allocatedRows_areZeroAndDisjoint_andClearZeroesAll() {
    var memory = FloatMemory(capacity: 10)
    let (first, second) = (memory.allocate(4), memory.allocate(6))
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
