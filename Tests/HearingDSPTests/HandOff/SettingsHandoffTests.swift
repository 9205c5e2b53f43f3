import TestSupport
import XCTest

@testable import HearingDSP

final class SettingsHandoffTests: XCTestCase {
  func test_take_getsTheLatestOnce() {
    let handoff = SettingsHandoff(shape: ProcessorShape(channelCount: 1, bandCount: 1))
    defer { handoff.deallocate() }
    XCTAssertFalse(handoff.take())
    for generation in 1...5 {
      handoff.back.pointee.generation = UInt64(generation)
      handoff.publish()
    }
    XCTAssertTrue(handoff.hasNewSettings)
    XCTAssertTrue(handoff.take())
    XCTAssertEqual(handoff.front.pointee.generation, 5)
    XCTAssertFalse(handoff.hasNewSettings)
    XCTAssertFalse(handoff.take())
    XCTAssertEqual(handoff.front.pointee.generation, 5)
  }

  func test_sides_neverShareASlot() {
    let handoff = SettingsHandoff(shape: ProcessorShape(channelCount: 1, bandCount: 1))
    defer { handoff.deallocate() }
    var generator = SeededGenerator(seed: 51)
    var published: UInt64 = 0
    var taken: UInt64 = 0
    for _ in 0..<1_000 {
      if Bool.random(using: &generator) {
        published += 1
        handoff.back.pointee.generation = published
        handoff.publish()
      } else if handoff.take() {
        XCTAssertEqual(handoff.front.pointee.generation, published)
        XCTAssertGreaterThan(handoff.front.pointee.generation, taken)
        taken = handoff.front.pointee.generation
      }
      XCTAssertNotEqual(handoff.back, handoff.front)
    }
  }
}
