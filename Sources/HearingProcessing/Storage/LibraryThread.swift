internal import Dispatch

/// Background threads of this package, for timed work and for work that must not delay a caller.
enum LibraryThread {
  /// Runs `work` asynchronously.
  static func run(_ work: @escaping @Sendable () -> Void) {
    queue().async(execute: work)
  }

  /// Creates a queue. Each busy queue has its own thread, so that a blocking handler does not delay
  /// the work of other queues. (The global queues of Dispatch have only about one thread per
  /// processor.)
  static func queue() -> DispatchQueue {
    DispatchQueue(label: "HearingProcessing", qos: .userInitiated)
  }
}
