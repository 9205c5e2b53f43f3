import TestSupport
import XCTest

@testable import HearingDSP

final class SettingsHandoffTests: XCTestCase {
  func test_take_getsTheLatestOnce() {
    let exchange = SettingsHandoff(shape: ProcessorShape(channelCount: 1, bandCount: 1))
    defer { exchange.deallocate() }
    XCTAssertFalse(exchange.take())
    for generation in 1...5 {
      exchange.back.pointee.generation = UInt64(generation)
      exchange.publish()
    }
    XCTAssertTrue(exchange.hasNews)
    XCTAssertTrue(exchange.take())
    XCTAssertEqual(exchange.front.pointee.generation, 5)
    XCTAssertFalse(exchange.hasNews)
    XCTAssertFalse(exchange.take())
    XCTAssertEqual(exchange.front.pointee.generation, 5)
  }

  func test_sides_neverShareASlot() {
    let exchange = SettingsHandoff(shape: ProcessorShape(channelCount: 1, bandCount: 1))
    defer { exchange.deallocate() }
    var generator = SeededGenerator(seed: 51)
    var published: UInt64 = 0
    var taken: UInt64 = 0
    for _ in 0..<1_000 {
      if Bool.random(using: &generator) {
        published += 1
        exchange.back.pointee.generation = published
        exchange.publish()
      } else if exchange.take() {
        XCTAssertEqual(exchange.front.pointee.generation, published)
        XCTAssertGreaterThan(exchange.front.pointee.generation, taken)
        taken = exchange.front.pointee.generation
      }
      XCTAssertNotEqual(exchange.back, exchange.front)
    }
  }
}
