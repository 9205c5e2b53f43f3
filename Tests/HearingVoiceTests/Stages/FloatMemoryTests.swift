import XCTest

@testable import HearingVoice

final class FloatMemoryTests: XCTestCase {
  func test_take_parts_areZeroAndApart_andClearSetsAllToZero() {
    var memory = FloatMemory(capacity: 10)
    let (first, second) = (memory.take(4), memory.take(6))
    XCTAssertEqual(second - first, 4)
    for index in 0..<10 {
      XCTAssertEqual(first[index], 0)
      first[index] = 3
    }
    memory.clear()
    for index in 0..<10 { XCTAssertEqual(first[index], 0) }
  }
}
