import Foundation
import HearingProcessing

/// Watches the progress of a test. If there is no progress for a long time, prints a dump and ends
/// the process.
final class ChaosWatchdog: Sendable {
  private let isOver = Lock(false)

  /// - Parameters:
  ///   - patience: The longest permitted time without progress, in seconds.
  ///   - progress: Returns numbers that change as long as there is progress.
  func begin(
    patience: Int = 30, progress: @escaping @Sendable () -> [Int],
    dump: @escaping @Sendable () -> String
  ) {
    Thread.detachNewThread { [self] in
      var last = progress()
      var quiet = 0
      while !isOver.withLock({ $0 }) {
        Thread.sleep(forTimeInterval: 1)
        let now = progress()
        quiet = now == last ? quiet + 1 : 0
        last = now
        if quiet >= patience {
          print("chaos: nothing has moved for \(quiet) s: a deadlock, or a lost result")
          print(dump())
          fatalError("chaos stands still")
        }
      }
    }
  }

  func end() {
    isOver.withLock { $0 = true }
  }
}
