internal import Dispatch

/// Threads of this package's own, for work that is due or that a caller should not wait for.
@usableFromInline
enum LibraryThread {
  /// Runs `work` soon.
  @usableFromInline
  static func run(_ work: @escaping @Sendable () -> Void) {
    queue().async(execute: work)
  }

  /// A new queue. Each has a thread of its own while it has work, where Dispatch's global queues
  /// share as many threads as there are processors: a handler that blocks delays nobody.
  static func queue() -> DispatchQueue {
    DispatchQueue(label: "HearingProcessing", qos: .userInitiated)
  }
}
