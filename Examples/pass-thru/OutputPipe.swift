import ExampleSupport
import Foundation
import Synchronization

/// Standard output, and why it could not be written.
final class OutputPipe: Sendable {
  private let reason = Mutex<String?>(nil)

  /// Why writing failed; nil: it did not.
  var failure: String? { reason.withLock { $0 } }

  /// Whether all of `data` was written.
  func write(_ data: Data) -> Bool {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
      return true
    } catch {
      let text = SystemReason.text(of: error)
      reason.withLock { $0 = text }
      return false
    }
  }
}
