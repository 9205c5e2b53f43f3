internal import Dispatch

/// Runs work on background threads. These threads run the work of timers, and work that must not
/// delay the calling thread.
enum LibraryThread {
  /// Runs `work` asynchronously.
  static func run(_ work: @escaping @Sendable () -> Void) {
    queue().async(execute: work)
  }

  /// Creates a queue. Each queue with running work has its own thread. Therefore a closure that
  /// blocks its thread does not delay the work of other queues. This method does not return a
  /// global queue of Dispatch, because the global queues have only about one thread per processor.
  static func queue() -> DispatchQueue {
    DispatchQueue(label: "HearingProcessing", qos: .userInitiated)
  }
}
