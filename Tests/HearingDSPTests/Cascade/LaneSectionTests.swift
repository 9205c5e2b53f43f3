import XCTest

@testable import HearingDSP

final class LaneSectionTests: XCTestCase {
  func test_everyNumber_isThatOfItsLane() {
    let sections = UnsafeMutablePointer<LaneSections>.allocate(capacity: 2)
    defer { sections.deallocate() }
    for vector in 0..<2 {
      let first = Float(100 * vector)
      func lanes(_ start: Float) -> Lanes { Lanes(0, 1, 2, 3) + (first + start) }
      var value = LaneSections()
      value.s1 = lanes(10)
      value.s2 = lanes(20)
      value.now = LaneCoefficients(a: lanes(30), c: lanes(40), e: lanes(50), f: lanes(60))
      (sections + vector).initialize(to: value)
    }
    for vector in 0..<2 {
      for lane in 0..<4 {
        let section = LaneSection(sections + vector, lane: lane)
        let own = Float(100 * vector + lane)
        XCTAssertEqual(
          [section.s1, section.s2, section.a, section.c, section.e, section.f],
          [10, 20, 30, 40, 50, 60].map { $0 + own })
        section.s1 = -own
        section.s2 = own - 1_000
      }
    }
    XCTAssertEqual(sections[1].s1, Lanes(-100, -101, -102, -103))
    XCTAssertEqual(sections[0].s2, Lanes(-1_000, -999, -998, -997))
  }
}
