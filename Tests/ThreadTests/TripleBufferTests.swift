import HearingBuffers
import TestSupport
import XCTest

@testable import HearingDSP

final class TripleBufferTests: XCTestCase {
  func test_receive_afterSeveralPublishes_returnsTheLatestValueOnce() {
    let buffers = OwnedRow(TripleBuffer { 0 })
    let buffer = buffers.row
    XCTAssertFalse(buffer[0].receive())
    for generation in 1...5 {
      buffer[0].back[0] = generation
      buffer[0].publish()
    }
    XCTAssertTrue(buffer[0].hasNewValue)
    XCTAssertTrue(buffer[0].receive())
    XCTAssertEqual(buffer[0].front[0], 5)
    XCTAssertFalse(buffer[0].hasNewValue)
    XCTAssertFalse(buffer[0].receive())
    XCTAssertEqual(buffer[0].front[0], 5)
  }

  func test_publishAndReceive_inRandomOrder_neverShareASlot() {
    let buffers = OwnedRow(TripleBuffer { 0 })
    let buffer = buffers.row
    var generator = SeededGenerator(seed: 51)
    var published = 0
    var taken = 0
    for _ in 0..<1_000 {
      if Bool.random(using: &generator) {
        published += 1
        buffer[0].back[0] = published
        buffer[0].publish()
      } else if buffer[0].receive() {
        XCTAssertEqual(buffer[0].front[0], published)
        XCTAssertGreaterThan(buffer[0].front[0], taken)
        taken = buffer[0].front[0]
      }
      XCTAssertFalse(buffer[0].back.isSame(as: buffer[0].front))
    }
  }
}
