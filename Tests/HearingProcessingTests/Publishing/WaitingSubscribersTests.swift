import Dispatch
import Synchronization
import TestSupport
import XCTest

@testable import HearingProcessing

final class WaitingSubscribersTests: TimedTestCase {
  private final class Subscriber: ResultSubscriber, @unchecked Sendable {
    let number: Int

    init(_ number: Int) {
      self.number = number
    }

    func leave() {
      phase.store(.cancelled, ordering: .releasing)
    }
  }

  func test_randomCancellations_keepTheOthersInOrder_andTheListShort() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var list = WaitingSubscribers()
      var waiting: [Subscriber] = []
      var most = 0
      for number in 0..<Int.random(in: 1...800, using: &generator) {
        let subscriber = Subscriber(number)
        list.append(subscriber)
        waiting.append(subscriber)
        most = max(most, waiting.count)
        while waiting.count > 5, Bool.random(using: &generator) {
          waiting.remove(at: Int.random(in: 0..<waiting.count, using: &generator)).leave()
        }
        XCTAssertLessThanOrEqual(list.subscribers.count, 2 * most + 16)
      }
      let all = list.removeAll()
      let rest = ([all.first].compactMap { $0 } + all.subscribers).filter { !$0.hasLeft }
        .compactMap { $0 as? Subscriber }
      XCTAssertEqual(rest.map(\.number), waiting.map(\.number))
      XCTAssertNil(list.first)
      XCTAssertTrue(list.subscribers.isEmpty)
    }
  }

  /// Subscribes and settles at the same time: each subscriber is called exactly once.
  func test_subscribersThatComeWhileAResultSettles_areAllCalledOnce() {
    for round in 0..<500 {
      let result = ResultPublisher<Int, ParameterError>()
      let received = Recorder<Int>()
      let settled = Recorder<Bool>()
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        if thread < 2 {
          settled.record(result.settle(.success(round)))
        } else {
          for _ in 0..<3 {
            result.observe { if case .success(let value) = $0 { received.record(value) } }
          }
        }
      }
      XCTAssertEqual(received.events, Array(repeating: round, count: 6))
      XCTAssertEqual(settled.events.filter { $0 }.count, 1)
    }
  }
}
