import Foundation
import XCTest

/// A test case with a time limit. If a test takes longer, the process ends and prints the name of
/// the test.
class TimedTestCase: XCTestCase {
  /// The maximum duration of one test in seconds. It is far longer than any test needs, even on a
  /// busy machine.
  var timeLimit: Double { 120 }

  /// Waits until threads of the library make `condition` true. If this takes too long, the time
  /// limit ends the test.
  func waitUntil(_ condition: () -> Bool) {
    while !condition() { Thread.sleep(forTimeInterval: 0.000_5) }
  }

  /// Waits on the main actor until `condition` is true. The main actor can do other work in the
  /// meantime.
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
