import Foundation
import XCTest

/// A test case with a time limit: a test that takes longer ends the process with its name.
class TimedTestCase: XCTestCase {
  /// Seconds that one test may take; far more than any test needs, even on a busy machine.
  var timeLimit: Double { 120 }

  /// Waits until library threads make `condition` true, or the time limit ends the test.
  func waitUntil(_ condition: () -> Bool) {
    while !condition() { Thread.sleep(forTimeInterval: 0.000_5) }
  }

  /// The same on the main actor, which does other work meanwhile.
  @MainActor
  func waitOnMainActor(_ condition: @MainActor () -> Bool) async {
    while !condition() { await Task.yield() }
  }

  override func invokeTest() {
    let (name, limit) = (name, timeLimit)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      if isDone.wait(timeout: .now() + limit) == .timedOut {
        fatalError("\(name) has not ended within \(limit) s")
      }
    }
    super.invokeTest()
    isDone.signal()
  }
}
