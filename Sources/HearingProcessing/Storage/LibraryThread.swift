internal import Dispatch

/// Threads of this package, for timed work and for work that a caller should not wait for.
enum LibraryThread {
  /// Runs `work` asynchronously.
  static func run(_ work: @escaping @Sendable () -> Void) {
    queue().async(execute: work)
  }

  /// Creates a queue. Each queue has its own thread while it has work, so that a blocking handler
  /// does not delay other work. Dispatch's global queues, in contrast, share one thread per
  /// processor.
  static func queue() -> DispatchQueue {
    DispatchQueue(label: "HearingProcessing", qos: .userInitiated)
  }
}
