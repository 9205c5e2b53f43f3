import TestSupport
import XCTest

@testable import HearingProcessing

final class OrderedListTests: TimedTestCase {
  private func list(_ elements: Range<Int>) -> (OrderedList<Int>, [UInt64]) {
    var list = OrderedList<Int>()
    let numbers = elements.map { list.append($0) }
    return (list, numbers)
  }

  func test_remove_keepsTheOrderOfTheOtherElements() {
    var (list, numbers) = list(0..<5)
    XCTAssertEqual(list.remove(numbers[1]), 1)
    XCTAssertEqual(list.entries.compactMap(\.element), [0, 2, 3, 4])
    XCTAssertNil(list.remove(numbers[1]), "removed twice")
    XCTAssertEqual(list.count, 4)
  }

  func test_removeAll_returnsAllElementsInOrder() {
    var (list, numbers) = list(0..<5)
    XCTAssertEqual(list.removeAll(), [0, 1, 2, 3, 4])
    XCTAssertTrue(list.isEmpty)
    XCTAssertNil(list.remove(numbers[2]))
    XCTAssertFalse(numbers.contains(list.append(5)), "a number is used once")
  }

  func test_copyOfEntries_isNotChangedByLaterRemovals() {
    var (list, numbers) = list(0..<5)
    let snapshot = list.entries
    for number in numbers { _ = list.remove(number) }
    XCTAssertEqual(snapshot.compactMap(\.element), [0, 1, 2, 3, 4])
  }

  func test_randomUse_behavesLikeAnArray_andMemoryStaysBounded() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var list = OrderedList<Int>()
    var model: [(number: UInt64, element: Int)] = []
    for element in 0..<20_000 {
      let limit = (element / 2_000).isMultiple(of: 2) ? 200 : 2
      if model.count < limit, Bool.random(using: &generator) {
        model.append((list.append(element), element))
      } else if !model.isEmpty {
        let removed = model.remove(at: Int.random(in: 0..<model.count, using: &generator))
        XCTAssertEqual(list.remove(removed.number), removed.element)
      }
      XCTAssertEqual(list.count, model.count)
      XCTAssertLessThanOrEqual(list.entries.count, 2 * model.count + 17)
    }
    XCTAssertEqual(list.entries.compactMap(\.element), model.map(\.element))
  }
}
