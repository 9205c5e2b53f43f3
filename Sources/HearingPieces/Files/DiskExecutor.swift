internal import Dispatch

/// Provides threads of Dispatch for the work that adds, lists and opens pieces. This work waits for
/// the disk and computes previews. On Swift's cooperative thread pool, this work would block other
/// tasks.
final class DiskExecutor: TaskExecutor {
  static let shared = DiskExecutor()

  // On Linux, a queue without a quality of service uses the threads of Swift's cooperative thread
  // pool. Therefore this queue has a quality of service.
  private let queue = DispatchQueue(
    label: "HearingPieces.DiskExecutor", qos: .utility, attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Unsafe: the shared executor is never released.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
