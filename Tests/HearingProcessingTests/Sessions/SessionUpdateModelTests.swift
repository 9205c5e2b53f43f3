import Foundation
import TestSupport
import XCTest

/// Compares a session with a model during random events. The events are updates, single values,
/// interruptions, time-outs, and the addition and removal of applicators. A round has 1,000 events.
/// The environment variable `UPDATE_ROUNDS` sets the number of rounds, for example 100 for a long
/// test.
final class SessionUpdateModelTests: TimedTestCase {
  override var timeLimit: Double { 600 }

  func test_randomSequencesOfUpdates_behaveAsTheModelPredicts() throws {
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
