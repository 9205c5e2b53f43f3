internal import Dispatch

/// A task executor with Dispatch threads, for the code that drops and opens pieces. Code that waits
/// for the disk must not block the cooperative thread pool of Swift tasks.
final class DiskExecutor: TaskExecutor {
  static let shared = DiskExecutor()

  private let queue = DispatchQueue(label: "HearingPieces.DiskExecutor", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Unsafe: the shared executor is never released.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
