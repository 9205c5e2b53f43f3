internal import Dispatch

/// Runs the work that drops, lists and opens pieces on threads of Dispatch. This work waits for the
/// disk and computes previews, so it must not block Swift's cooperative thread pool.
final class DiskExecutor: TaskExecutor {
  static let shared = DiskExecutor()

  // On Linux, a queue without a quality of service has the same threads as Swift's pool.
  private let queue = DispatchQueue(
    label: "HearingPieces.DiskExecutor", qos: .utility, attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Unsafe: the shared executor is never released.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
