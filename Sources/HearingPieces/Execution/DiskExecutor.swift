internal import Dispatch

/// Where drops and openings run: on threads of Dispatch's, since they wait for the disk, which the
/// threads that all tasks share should not.
final class DiskExecutor: TaskExecutor {
  static let shared = DiskExecutor()

  private let queue = DispatchQueue(label: "HearingPieces.DiskExecutor", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
