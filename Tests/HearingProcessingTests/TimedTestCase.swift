import Foundation
import XCTest

/// A test case whose tests have a time limit: one that takes longer ends the process and is named.
class TimedTestCase: XCTestCase {
  /// Seconds that one test may take; far more than any needs, also on a busy machine.
  var timeLimit: Double { 120 }

  /// Waits until `condition` holds, which library threads bring about, or the time limit ends the test.
  func waitUntil(_ condition: () -> Bool) {
    while !condition() { Thread.sleep(forTimeInterval: 0.000_5) }
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
