internal import Dispatch

/// Runs the code that drops and opens pieces on Dispatch threads. This code waits for the disk. It
/// must not block the thread pool that all tasks use.
final class DiskExecutor: TaskExecutor {
  static let shared = DiskExecutor()

  private let queue = DispatchQueue(label: "HearingPieces.DiskExecutor", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Unsafe: the shared executor is never released.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
