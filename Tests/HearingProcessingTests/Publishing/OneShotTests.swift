import TestSupport
import XCTest

@testable import HearingProcessing

final class OneShotTests: XCTestCase {
  private final class Subscriber: Slotted, @unchecked Sendable {
    let number: Int
    var slot = -1

    init(_ number: Int) {
      self.number = number
    }
  }

  private enum Failure: Error { case broken }
  private typealias Machine = OneShot<Int, Failure, Subscriber>

  func test_longRandomSequences_settleEverySubscriberOnceInOrder() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var events = 0
    var count = 0
    while events < 100_000 {
      var machine = Machine()
      var waiting: [Subscriber] = []
      var settled: Int?
      for _ in 0..<Int.random(in: 1...80, using: &generator) {
        events += 1
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<11:
          count += 1
          let subscriber = Subscriber(count)
          let outcome = machine.subscribe(subscriber)
          XCTAssertEqual(try outcome?.get(), settled)
          if settled == nil { waiting.append(subscriber) }
        case 11..<19:
          guard let leaving = waiting.randomElement(using: &generator) else { continue }
          XCTAssertIdentical(machine.unsubscribe(leaving), settled == nil ? leaving : nil)
          XCTAssertNil(machine.unsubscribe(leaving))
          if settled == nil { waiting.removeAll { $0 === leaving } }
        default:
          let told = machine.settle(.success(events))
          if settled == nil {
            settled = events
            XCTAssertEqual(told?.compactMap { $0?.number }, waiting.map(\.number))
          } else {
            XCTAssertNil(told)
          }
        }
      }
      XCTAssertEqual(try machine.outcome?.get(), settled)
    }
  }

  func test_failure_isKeptForLateSubscribers() {
    var machine = Machine()
    XCTAssertNotNil(machine.settle(.failure(.broken)))
    XCTAssertNil(machine.settle(.success(1)))
    XCTAssertThrowsError(try machine.subscribe(Subscriber(1))?.get())
  }
}
