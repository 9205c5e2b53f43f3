import Foundation
import XCTest

/// A test case with a time limit. If a test exceeds the limit, the process ends and prints the name
/// of the test.
class TimedTestCase: XCTestCase {
  /// The time limit of one test in seconds. Even on a busy machine, no test needs so much time.
  var timeLimit: Double { 120 }

  /// Waits until threads of the library make `condition` true. The time limit of the test also
  /// limits this waiting time.
  func waitUntil(_ condition: () -> Bool) {
    while !condition() { Thread.sleep(forTimeInterval: 0.000_5) }
  }

  /// Waits on the main actor until `condition` is true. While it waits, the main actor can do other
  /// work.
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
