import Foundation
import TestSupport
import XCTest

@testable import HearingPieces

final class DiskExecutorTests: XCTestCase {
  /// Starts twice as many busy tasks as there are processors. In Swift's default thread pool, they
  /// would block all other tasks.
  func test_busyTasksOnTheExecutor_doNotStopOtherTasks() async {
    let hasRun = Guarded(false)
    let limit = ContinuousClock.now + .seconds(20)
    let busy = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Task.detached(executorPreference: DiskExecutor.shared) {
        while !hasRun.withLock({ $0 }), ContinuousClock.now < limit {}
        return hasRun.withLock { $0 }
      }
    }
    await Task.detached { hasRun.withLock { $0 = true } }.value
    for task in busy {
      let sawOther = await task.value
      XCTAssertTrue(sawOther)
    }
  }
}
