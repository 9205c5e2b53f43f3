internal import Dispatch

/// Threads of this package, for timed work and for work that a caller should not wait for.
enum LibraryThread {
  /// Runs `work` asynchronously.
  static func run(_ work: @escaping @Sendable () -> Void) {
    queue().async(execute: work)
  }

  /// Creates a queue. A queue with work has its own thread. A handler that blocks therefore does
  /// not delay the work of other queues. Dispatch's global queues, in contrast, have only about one
  /// thread per processor.
  static func queue() -> DispatchQueue {
    DispatchQueue(label: "HearingProcessing", qos: .userInitiated)
  }
}
