@testable import HearingProcessing
import TestSupport
import XCTest

final class LoadTrackerTests: TimedTestCase {
  private typealias Tracker = LoadTracker<Int>

  func test_randomEvents_oneLoadAtATime_sharedOnlyOnTheSameBasis_endedOnce() {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var tracker = Tracker()
    var current: (number: UInt64, basis: Tracker.Basis)?
    var lastNumber: UInt64 = 0
    var results: [UInt64: ResultPublisher<Int, ParameterError>] = [:]
    for event in 0..<120_000 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9:
        let basis = Tracker.Basis(
          source: .random(in: 0..<3, using: &random), parameter: .random(in: 0..<3, using: &random))
        let result = ResultPublisher<Int, ParameterError>()
        switch tracker.begin(result, basis: basis) {
        case .shared(let load):
          XCTAssertEqual(load.number, current?.number)
          XCTAssertEqual(basis, current?.basis)
          XCTAssertTrue(load.result === results[load.number])
        case .new(let load, let replaced):
          XCTAssertEqual(load.number, lastNumber + 1)
          XCTAssertTrue(load.result === result)
          XCTAssertEqual(replaced?.number, current?.number)
          XCTAssertNotEqual(basis, current?.basis)
          lastNumber = load.number
          current = (load.number, basis)
          results[load.number] = result
        }
      case 9..<19:
        let number = max(1, lastNumber) - min(lastNumber, .random(in: 0..<3, using: &random))
        let ended = tracker.end(number)
        XCTAssertEqual(ended?.number, current?.number == number ? number : nil)
        if ended != nil { current = nil }
        results[number] = ended == nil ? results[number] : nil
      default:
        XCTAssertEqual(tracker.close()?.number, current?.number)
        current = nil
      }
      guard tracker.current?.number == current?.number else {
        return XCTFail("event \(event), seed \(seed)")
      }
    }
  }

  func test_keep_forALoadThatWasReplaced_isRefused() {
    var tracker = Tracker()
    let task = Task {}
    _ = tracker.begin(.init(), basis: .init(source: 0, parameter: 0))
    XCTAssertTrue(tracker.keep(task, ofLoad: 1))
    _ = tracker.begin(.init(), basis: .init(source: 1, parameter: 0))
    XCTAssertFalse(tracker.keep(task, ofLoad: 1))
    XCTAssertNil(tracker.current?.task)
    XCTAssertTrue(tracker.keep(task, ofLoad: 2))
  }
}
