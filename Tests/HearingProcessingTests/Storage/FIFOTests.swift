import TestSupport
import XCTest

@testable import HearingProcessing

final class FIFOTests: TimedTestCase {
  func test_popFirst_returnsElementsInOrderOfArrival() {
    var queue = FIFO<Int>()
    for number in 1...3 { queue.append(number) }
    XCTAssertEqual([queue.popFirst(), queue.popFirst()], [1, 2])
    queue.append(4)
    XCTAssertEqual([queue.popFirst(), queue.popFirst(), queue.popFirst()], [3, 4, nil])
    XCTAssertTrue(queue.isEmpty)
  }

  func test_removeAllWhere_returnsAndKeepsElementsInOrder() {
    var queue = FIFO<Int>()
    for number in 0..<10 { queue.append(number) }
    _ = queue.popFirst()
    XCTAssertEqual(queue.remove { $0.isMultiple(of: 2) }, [2, 4, 6, 8])
    XCTAssertEqual((0..<6).map { _ in queue.popFirst() }, [1, 3, 5, 7, 9, nil])
  }

  func test_popFirst_releasesTheElement() {
    let freed = Recorder<Int>()
    var queue = FIFO<Canary>()
    for number in 1...3 { queue.append(Canary { freed.record(number) }) }
    _ = queue.popFirst()
    XCTAssertEqual(freed.events, [1])
  }

  func test_randomUse_behavesLikeAnArray() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var queue = FIFO<Int>()
    var model: [Int] = []
    for number in 0..<100_000 {
      let target = (number / 5_000).isMultiple(of: 2) ? 200 : 2
      switch Int.random(in: 0..<100, using: &generator) {
      case 0:
        let divisor = Int.random(in: 2...5, using: &generator)
        let removed = queue.remove { $0.isMultiple(of: divisor) }
        XCTAssertEqual(removed, model.filter { $0.isMultiple(of: divisor) })
        model.removeAll { $0.isMultiple(of: divisor) }
      case 1..<50 where model.count < target, 50..<60:
        queue.append(number)
        model.append(number)
      default:
        XCTAssertEqual(queue.popFirst(), model.isEmpty ? nil : model.removeFirst())
      }
      XCTAssertEqual(queue.isEmpty, model.isEmpty)
      XCTAssertEqual(queue.count, model.count)
    }
  }
}
