import HearingBuffers
import TestSupport
import XCTest

@testable import HearingDSP

final class SettingsHandoffTests: XCTestCase {
  func test_take_getsTheLatestOnce() {
    let handoff = SettingsHandoff(shape: ProcessorShape(channelCount: 1, bandCount: 1))
    XCTAssertFalse(handoff.take())
    for generation in 1...5 {
      handoff.back[0].generation = UInt64(generation)
      handoff.publish()
    }
    XCTAssertTrue(handoff.hasNewSettings)
    XCTAssertTrue(handoff.take())
    XCTAssertEqual(handoff.front[0].generation, 5)
    XCTAssertFalse(handoff.hasNewSettings)
    XCTAssertFalse(handoff.take())
    XCTAssertEqual(handoff.front[0].generation, 5)
  }

  func test_sides_neverShareASlot() {
    let handoff = SettingsHandoff(shape: ProcessorShape(channelCount: 1, bandCount: 1))
    var generator = SeededGenerator(seed: 51)
    var published: UInt64 = 0
    var taken: UInt64 = 0
    for _ in 0..<1_000 {
      if Bool.random(using: &generator) {
        published += 1
        handoff.back[0].generation = published
        handoff.publish()
      } else if handoff.take() {
        XCTAssertEqual(handoff.front[0].generation, published)
        XCTAssertGreaterThan(handoff.front[0].generation, taken)
        taken = handoff.front[0].generation
      }
      XCTAssertFalse(handoff.back.isSame(as: handoff.front))
    }
  }
}
