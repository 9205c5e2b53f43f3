import TestSupport
import XCTest

@testable import HearingProcessing

final class OrderedSlotsTests: TimedTestCase {
  private final class Element: Slotted {
    let number: Int
    var slot = -1

    init(_ number: Int) {
      self.number = number
    }
  }

  func test_remove_keepsTheOrderOfTheOthers() {
    var slots = OrderedSlots<Element>()
    let elements = (0..<5).map { Element($0) }
    for element in elements { slots.append(element) }
    XCTAssertIdentical(slots.remove(elements[1]), elements[1])
    XCTAssertEqual(slots.places.compactMap { $0?.number }, [0, 2, 3, 4])
    XCTAssertNil(slots.remove(elements[1]), "removed twice")
    XCTAssertEqual(slots.count, 4)
  }

  func test_removeAll_returnsEverythingInOrderAndForgetsIt() {
    var slots = OrderedSlots<Element>()
    let elements = (0..<5).map { Element($0) }
    for element in elements { slots.append(element) }
    XCTAssertEqual(slots.removeAll().compactMap { $0?.number }, [0, 1, 2, 3, 4])
    XCTAssertTrue(slots.isEmpty)
    XCTAssertNil(slots.remove(elements[2]))
  }

  func test_aCopyOfPlaces_isASnapshot() {
    var slots = OrderedSlots<Element>()
    let elements = (0..<5).map { Element($0) }
    for element in elements { slots.append(element) }
    let snapshot = slots.places
    for element in elements { _ = slots.remove(element) }
    XCTAssertEqual(snapshot.compactMap { $0?.number }, [0, 1, 2, 3, 4])
  }

  func test_holes_areClosedEvenIfTheRestIsRemovedFromTheEnd() {
    var slots = OrderedSlots<Element>()
    let elements = (0..<1_000).map { Element($0) }
    for element in elements { slots.append(element) }
    for element in elements[..<499] { _ = slots.remove(element) }
    for element in elements[499...].reversed() { _ = slots.remove(element) }
    XCTAssertEqual(slots.count, 0)
    XCTAssertLessThanOrEqual(slots.places.count, 16)
  }

  func test_longUse_agreesWithAnArrayAndLeavesFewHoles() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var slots = OrderedSlots<Element>()
    var model: [Element] = []
    for number in 0..<100_000 {
      let target = (number / 5_000).isMultiple(of: 2) ? 60 : 2
      if model.isEmpty || (model.count < target && Bool.random(using: &generator)) {
        let element = Element(number)
        slots.append(element)
        model.append(element)
      } else {
        let element = model.remove(at: Int.random(in: model.indices, using: &generator))
        XCTAssertIdentical(slots.remove(element), element)
      }
      XCTAssertEqual(slots.count, model.count)
      XCTAssertLessThanOrEqual(slots.places.count, 2 * model.count + 16)
      if number.isMultiple(of: 100) {
        XCTAssertEqual(slots.places.compactMap { $0?.number }, model.map(\.number))
      }
    }
  }
}
