internal import Dispatch

/// Runs the tasks that drop and open pieces on threads of Dispatch. Tasks that wait for the disk
/// must not block Swift's cooperative thread pool.
final class DiskExecutor: TaskExecutor {
  static let shared = DiskExecutor()

  private let queue = DispatchQueue(label: "HearingPieces.DiskExecutor", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Unsafe: the shared executor is never released.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
