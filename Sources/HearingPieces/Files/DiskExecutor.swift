internal import Dispatch

/// Runs the code that drops and opens pieces on Dispatch threads. Code that waits for the disk must
/// not block the cooperative thread pool of Swift tasks.
final class DiskExecutor: TaskExecutor {
  static let shared = DiskExecutor()

  private let queue = DispatchQueue(label: "HearingPieces.DiskExecutor", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Unsafe: the shared executor is never released.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
