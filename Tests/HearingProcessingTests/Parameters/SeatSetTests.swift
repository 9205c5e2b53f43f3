import TestSupport
import XCTest

@testable import HearingProcessing

final class SeatSetTests: TimedTestCase {
  func test_operations_agreeWithASetOfNumbers() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let some = Set(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          Int.random(in: 0..<SeatSet.maximumCount, using: &random)
        })
      let others = Set(some.filter { _ in Bool.random(using: &random) } + [0, 63])
      let (left, right) = (SeatSet(some), SeatSet(others))
      XCTAssertEqual(Array(left), some.sorted())
      XCTAssertEqual(left.isEmpty, some.isEmpty)
      XCTAssertEqual(Array(left.subtracting(right)), some.subtracting(others).sorted())
      XCTAssertEqual(Array(left.intersection(right)), some.intersection(others).sorted())
      for seat in 0..<SeatSet.maximumCount {
        XCTAssertEqual(left.contains(seat), some.contains(seat))
      }
    }
    for count in 0...SeatSet.maximumCount {
      XCTAssertEqual(Array(SeatSet(first: count)), Array(0..<count))
    }
  }

  func test_order_beginsWithThePartsThatApplyFirst() {
    var order = SeatOrder(SeatSet([0, 2, 5]), first: SeatSet([3, 5]))
    XCTAssertEqual((0..<4).map { _ in order.next() }, [5, 0, 2, nil])
  }
}
