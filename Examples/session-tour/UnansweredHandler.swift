import HearingProcessing
import Synchronization

/// Keeps a result handler until somebody remembers to answer.
final class UnansweredHandler: Sendable {
  private let handler = Mutex<(@Sendable (ApplicationResult) -> Void)?>(nil)

  func keep(_ result: @escaping @Sendable (ApplicationResult) -> Void) {
    handler.withLock { $0 = result }
  }

  func answer(_ result: ApplicationResult) {
    handler.withLock { $0.take() }?(result)
  }
}
