import Foundation
import TestSupport
import XCTest

/// Random events on a session with updates, single values, interruptions, time-outs and
/// applicators that come and go, against a model. `UPDATE_ROUNDS` says how many times 1,000 events:
/// 100 in a long run.
final class SessionUpdateModelTests: TimedTestCase {
  override var timeLimit: Double { 600 }

  func test_randomEvents_agreeWithTheModel() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var (successes, failures, calls) = (0, 0, 0)
    let rounds = ProcessInfo.processInfo.environment["UPDATE_ROUNDS"].flatMap { Int($0) } ?? 10
    for round in 0..<rounds {
      let world = try UpdateWorld(seed: seed &+ UInt64(round))
      let faults = world.play(1_000)
      guard faults.isEmpty else {
        return XCTFail("seed \(seed), round \(round): \(faults[0])")
      }
      successes += world.settled.success
      failures += world.settled.failure
      calls += world.calls
    }
    print("\(successes) successes, \(failures) failures, \(calls) calls of applicators")
    XCTAssertGreaterThan(successes, 100 * rounds)
    XCTAssertGreaterThan(failures, 20 * rounds)
  }
}
