import TestSupport
import XCTest

@testable import HearingProcessing

final class DeadlineHeapTests: TimedTestCase {
  func test_equalDeadlines_comeOutInOrderOfNumbers() {
    var heap = DeadlineHeap()
    for number: UInt64 in [4, 2, 5, 1, 3] {
      heap.insert(ScheduledWork(deadline: .seconds(1), number: number) {})
    }
    let order = (0..<5).map { _ in heap.popFirst(dueAt: .seconds(1))?.number }
    XCTAssertEqual(order, [1, 2, 3, 4, 5])
  }

  func test_popFirst_keepsWorkThatIsNotDue() {
    var heap = DeadlineHeap()
    heap.insert(ScheduledWork(deadline: .seconds(2), number: 1) {})
    XCTAssertNil(heap.popFirst(dueAt: .seconds(1.999)))
    XCTAssertEqual(heap.popFirst(dueAt: .seconds(2))?.number, 1)
    XCTAssertNil(heap.popFirst(dueAt: .seconds(2)))
  }

  func test_longUse_agreesWithASortedArray() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var heap = DeadlineHeap()
    var model: [ScheduledWork] = []
    for number in 0..<100_000 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4 where model.count < 60, 4:
        let deadline = Duration.seconds(Int.random(in: 0..<20, using: &generator))
        let work = ScheduledWork(deadline: deadline, number: UInt64(number)) {}
        heap.insert(work)
        let index = model.firstIndex { work.precedes($0) } ?? model.count
        model.insert(work, at: index)
      case 5, 6:
        guard let work = model.randomElement(using: &generator) else { continue }
        XCTAssertTrue(work.cancel())
        XCTAssertFalse(work.cancel(), "cancelled twice")
        heap.removeCancelled()
        model.removeAll { $0 === work }
      default:
        let time = Duration.seconds(Int.random(in: 0..<20, using: &generator))
        let expected = model.first.flatMap { $0.deadline <= time ? $0 : nil }
        XCTAssertIdentical(heap.popFirst(dueAt: time), expected)
        if expected != nil { model.removeFirst() }
      }
      XCTAssertIdentical(heap.first, model.first)
    }
  }
}
